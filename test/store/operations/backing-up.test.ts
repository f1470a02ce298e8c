import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDirectoryFiles } from "../../../src/blobs/backup-files-fs.ts";
import { createFileBlobs } from "../../../src/blobs/fs.ts";
import type { MarkedBlobs } from "../../../src/domain/model/blobs.ts";
import { digestOf } from "../../../src/domain/model/files.ts";
import { type BackupObserver, createBackup } from "../../../src/domain/operations/backup/backup.ts";
import { clearAway } from "../../../src/domain/operations/clearing.ts";
import { createSweep } from "../../../src/domain/operations/sweep.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { copyIntoSqlite, copySqlite } from "../../../src/store/database-copies.ts";
import { openPostgresSource } from "../../../src/store/engine/postgres/open-moved.ts";
import { describeEachEngine, type EngineName } from "../../support/engines.ts";
import { IS_EVERYTHING } from "../../support/runs.ts";
import { clock, random } from "../../support/service.ts";
import { nextTurn } from "../../support/until.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore, type TestStore } from "../support.ts";

const OBSERVER: BackupObserver = {
  watchRows: () => undefined,
  watchObjects: () => undefined,
  note: () => undefined,
  isStopped: () => false,
};
const CONTENT = new TextEncoder().encode("published");

function testBackups(engine: EngineName, isBrief: boolean): void {
  let opened: TestStore;
  let owner: Owner;
  let home: string;
  let blobs: MarkedBlobs;
  let objects: MarkedBlobs;

  beforeEach(async () => {
    opened = await openTestStore(engine);
    owner = await addOwner(opened);
    home = await mkdtemp(join(tmpdir(), "vitrine-backing-up-"));
    await Promise.all(["blobs", "backups/objects"].map((name) => mkdir(join(home, name), { recursive: true })));
    blobs = createFileBlobs(join(home, "blobs"));
    objects = createFileBlobs(join(home, "backups/objects"));
  });
  afterEach(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  });

  async function publish(): Promise<string> {
    const files = [{ path: "index.html", offset: 0, size: CONTENT.length, digest: digestOf(CONTENT) }];
    const publication = buildPublication(owner, { files, size: CONTENT.length });
    await blobs.put(publication.code, CONTENT.slice());
    await opened.store.publishing.publish(publication);
    return publication.code;
  }

  /** Deletes a version as the service does. */
  async function remove(code: string): Promise<void> {
    const now = clock.now();
    const { rows, store } = opened;
    await rows.transaction().execute(async (transaction) => {
      await transaction.insertInto("retired_codes").values({ code, retired_at: now }).execute();
      await transaction.deleteFrom("versions").where("code", "=", code).execute();
    });
    await clearAway({ store, blobs, log: silentLog }, [code], now);
  }

  async function copy() {
    const { databaseUrl, dataDir } = opened.database;
    const path = join(home, "copy.db");
    if (databaseUrl === undefined) return copySqlite(join(dataDir, "vitrine.db"), path);
    const source = openPostgresSource(databaseUrl);
    return copyIntoSqlite(source, path, { run: "run", watchRows: () => undefined, check: () => undefined }).finally(
      source.close,
    );
  }

  /** Creates the operation, with something to do after the snapshot was taken. */
  const backup = (afterSnapshot: () => Promise<unknown>) =>
    createBackup({
      store: opened.store,
      blobs,
      target: { name: "target", files: createDirectoryFiles(join(home, "backups")), objects },
      clock,
      random,
      wait: Bun.sleep,
      machine: { host: "here", pid: process.pid, isRunning: () => true },
      version: "1",
      readSecret: async () => undefined,
      async copyDatabase() {
        const copied = await copy();
        await afterSnapshot();
        return copied;
      },
    });

  const isStored = async (code: string, where = blobs) => (await where.readAll(code)) !== undefined;

  test("has what is deleted after its snapshot, and the sweep deletes that later", async () => {
    const [early, late, kept] = [await publish(), await publish(), await publish()];
    await remove(early);
    expect(await isStored(early)).toBe(false);
    const { manifest } = await backup(() => remove(late)).run(OBSERVER, undefined);
    expect(manifest.objects.count).toBe(2);
    expect([await isStored(late, objects), await isStored(kept, objects)]).toEqual([true, true]);
    expect(await isStored(late)).toBe(true);
    await createSweep({ store: opened.store, blobs, clock, wait: Bun.sleep, log: silentLog, orphanDays: 7 }).run();
    expect([await isStored(late), await isStored(kept)]).toEqual([false, true]);
  });

  if (isBrief) return;

  test("doesn't count if its hold was lost, because objects may have been deleted", async () => {
    await publish();
    const lose = () => opened.rows.updateTable("backups").set({ expires_at: 1 }).execute();
    const failure = await failureOf(backup(lose).run(OBSERVER, undefined));
    expect(failure).toMatchObject({ kind: "Conflict" });
    expect(failure.message).toStartWith("The backup stopped, because it couldn't renew its hold");
    expect(await opened.store.operations.findLastBackup()).toMatchObject({ state: "failed", problem: failure.message });
    const { manifest, copiedBytes } = await backup(async () => undefined).run(OBSERVER, undefined);
    expect(manifest.number).toBe(2);
    expect(await readdir(join(home, "backups/backups"))).toEqual([manifest.id]);
    // The object was copied by the first run.
    expect(copiedBytes).toBe(manifest.database.size);
  });

  test("makes a sweep wait until it has ended", async () => {
    const code = await publish();
    let sweep: Promise<unknown> | undefined;
    let waits = 0;
    await backup(async () => {
      await remove(code);
      const waited = Promise.withResolvers<void>();
      const wait = () => {
        waits++;
        waited.resolve();
        return nextTurn();
      };
      const parts = { store: opened.store, blobs, clock, wait, log: silentLog, orphanDays: 7 };
      sweep = createSweep(parts).run();
      await waited.promise;
      expect(await isStored(code)).toBe(true);
    }).run(OBSERVER, undefined);
    await sweep;
    expect(waits).toBeGreaterThan(0);
    expect([await isStored(code), await isStored(code, objects)]).toEqual([false, true]);
  });

  test("stops when it is told to, and frees the target", async () => {
    await publish();
    const stopped = { ...OBSERVER, isStopped: () => true };
    expect((await failureOf(backup(async () => undefined).run(stopped, undefined))).message).toStartWith(
      "Interrupted.",
    );
    expect(await opened.store.operations.isBackingUp()).toBe(false);
    await backup(async () => undefined).run(OBSERVER, undefined);
  });
}

// The other tests don't depend on the engine.
describeEachEngine("a backup", (engine) => testBackups(engine, engine === "postgres" && !IS_EVERYTHING));
