import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { createFileBlobs } from "../../src/blobs/fs.ts";
import { createS3Blobs } from "../../src/blobs/s3.ts";
import type { Blobs, MarkedBlobs } from "../../src/domain/model/blobs.ts";
import { createSweep } from "../../src/domain/operations/sweep.ts";
import { silentLog } from "../../src/observability/log.ts";
import { openPostgres } from "../../src/store/open-postgres.ts";
import { connectTo } from "../store/support.ts";
import { type Ended, vitrine } from "../support/cli.ts";
import { createTestDatabase, type TestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { createBucket, s3Unavailable } from "../support/s3.ts";
import { createFactories, random } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { addUser, publish, spawnProgram, startProgram } from "./program.ts";

const REPORTS = 20;
const DAY = 24 * 60 * 60_000;
const KINDS = [
  ["sqlite", "files"],
  ["sqlite", "s3"],
  ["postgres", "files"],
  ["postgres", "s3"],
] as const;

/** Storage of a server, with direct access to it. */
interface Place {
  database: TestDatabase;
  environment: Record<string, string>;
  blobs: MarkedBlobs;
  /** Removes the installation id from the published files. */
  forgetBlobsId(): Promise<void>;
}

async function createPlace(engine: "sqlite" | "postgres", kind: "files" | "s3"): Promise<Place> {
  const database = await createTestDatabase(engine);
  const bucket = kind === "s3" ? await createBucket() : undefined;
  const directory = join(database.dataDir, "blobs");
  await mkdir(directory, { mode: 0o700 });
  return {
    database,
    environment: {
      ...(database.databaseUrl === undefined ? {} : { VITRINE_DATABASE_URL: database.databaseUrl }),
      ...bucket?.environment({ prefix: "below/" }),
    },
    blobs:
      bucket === undefined
        ? createFileBlobs(directory)
        : createS3Blobs({ place: bucket.place({ prefix: "below/" }), random }),
    forgetBlobsId: () =>
      bucket === undefined ? rm(join(directory, "installation-id")) : bucket.client.delete("below/installation-id"),
  };
}

async function keysIn(blobs: MarkedBlobs): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list()) if (!key.endsWith(".z")) keys.push(key);
  return keys.toSorted();
}

const optionsOf = ({ database, environment }: Place) => ({ dataDir: database.dataDir, environment });

async function addPublisher({ database }: Place): Promise<string> {
  if (database.databaseUrl === undefined) return (await addUser(database.dataDir)).token;
  const store = await openPostgres(database.databaseUrl);
  try {
    return (await createFactories(store).user()).token;
  } finally {
    await store.close();
  }
}

/** Starts a server, publishes reports, and stops it. Returns the codes. */
async function publishSome(place: Place, count = REPORTS): Promise<string[]> {
  const token = await addPublisher(place);
  await using program = await startProgram(optionsOf(place));
  const codes: string[] = [];
  for (let number = 0; number < count; number++) {
    const files = [{ path: "index.html", content: `<title>${number}</title>` }];
    const { code = "" } = await publish(program.baseUrl, token, { files, visibility: "public" });
    codes.push(code);
  }
  expect(await program.stop()).toBe(0);
  return codes.toSorted();
}

/** Runs a server that is expected to refuse to start. */
async function refusal(place: Place): Promise<{ code: number; stderr: string }> {
  const child = spawnProgram(optionsOf(place));
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  return { code, stderr };
}

const command = ({ database, environment }: Place, line: string): Promise<Ended> =>
  vitrine(line.split(" "), { environment: { ...environment, VITRINE_DATA_DIR: database.dataDir } });

const unavailableFor = (engine: string, kind: string) =>
  (engine === "postgres" ? postgresUnavailable() : undefined) ?? (kind === "s3" ? s3Unavailable() : undefined);

describe.each(KINDS)("an installation on %s with %s", (engine, kind) => {
  describeIf("and its id", unavailableFor(engine, kind), () => {
    let place: Place;
    let others: Place[];

    beforeEach(async () => {
      place = await createPlace(engine, kind);
      others = [];
    });
    afterEach(async () => {
      for (const { database } of [place, ...others]) await database.remove();
    });

    /** Returns the same published files with an empty database. */
    async function withEmptyDatabase(): Promise<Place> {
      if (engine === "sqlite") {
        for (const suffix of ["", "-wal", "-shm"]) {
          const path = join(place.database.dataDir, `vitrine.db${suffix}`);
          await rename(path, `${path}.away`).catch(() => undefined);
        }
        return place;
      }
      const { database } = await createPlace("postgres", "files");
      others.push({ ...place, database });
      const environment = { ...place.environment, VITRINE_DATABASE_URL: database.databaseUrl ?? "" };
      return { ...place, environment, database: { ...database, dataDir: place.database.dataDir } };
    }

    async function giveBackDatabase(): Promise<void> {
      for (const suffix of ["", "-wal", "-shm"]) {
        const path = join(place.database.dataDir, `vitrine.db${suffix}`);
        await rm(path, { force: true });
        await rename(`${path}.away`, path).catch(() => undefined);
      }
    }

    async function servesAll(codes: readonly string[], at = place): Promise<void> {
      await using program = await startProgram(optionsOf(at));
      for (const code of codes) expect((await fetch(`${program.contentUrl}/${code}/`)).status).toBe(200);
      expect(await program.stop()).toBe(0);
    }

    test("an empty database with published files is refused, and no file is deleted", async () => {
      const codes = await publishSome(place);
      const id = await place.blobs.installation.read();
      expect(id).toMatch(/^ins_[0-9A-Za-z]{16}$/);
      const stranger = await withEmptyDatabase();
      for (let attempt = 0; attempt < 2; attempt++) {
        const { code, stderr } = await refusal(stranger);
        expect(code).toBe(2);
        expect(stderr.trimEnd().split("\n")).toHaveLength(1);
        expect(stderr).toStartWith("vitrine: The database (");
        expect(stderr).toContain(") belongs to no installation yet, but the published files (");
        expect(stderr).toContain(`) belong to installation ${id}. Check VITRINE_DATA_DIR, VITRINE_DATABASE_URL and `);
        expect(stderr).toContain("run vitrine blobs adopt.\n");
        expect(await keysIn(place.blobs)).toEqual(codes);
      }
      const shown = await command(stranger, "blobs adopt");
      expect(shown).toMatchObject({ code: 2, stdout: "" });
      expect(shown.stderr).toContain(`belong to installation ${id}.\nvitrine: Pass --yes`);
      expect((await refusal(stranger)).code).toBe(2);

      const adopted = await command(stranger, "blobs adopt --yes");
      expect(adopted.code).toBe(0);
      const own = await place.blobs.installation.read();
      expect(adopted.stderr).toEndWith(`Both now belong to installation ${own}.\n`);
      expect(own).not.toBe(id);
      await using program = await startProgram(optionsOf(stranger));
      expect(await program.stop()).toBe(0);
      expect(await keysIn(place.blobs)).toEqual(codes);
      expect((await command(stranger, "blobs adopt")).stderr).toEndWith("Nothing to change.\n");

      // The original database is refused from now on, and can adopt the files back.
      if (engine === "sqlite") await giveBackDatabase();
      const back = await refusal(place);
      expect(back.code).toBe(2);
      expect(back.stderr).toContain(`belongs to installation ${id}, but the published files (`);
      expect(back.stderr).toContain(`belong to installation ${own}.`);
      expect((await command(place, "blobs adopt --yes")).code).toBe(0);
      expect(await place.blobs.installation.read()).toBe(id);
      await servesAll(codes);
    });

    /** Restores the state left by versions of Vitrine that had no ids. */
    async function forgetIds(): Promise<void> {
      const rows = connectTo(place.database);
      await rows.deleteFrom("installation").execute();
      await rows.destroy();
      await place.forgetBlobsId();
    }

    test("an installation without ids gets one, whatever it contains", async () => {
      const codes = await publishSome(place, 3);
      const id = await place.blobs.installation.read();
      await forgetIds();
      await servesAll(codes);
      const made = await place.blobs.installation.read();
      expect(made).not.toBe(id);
      // Files that lost their id, as in an incomplete copy, are recognized by their reports.
      await place.forgetBlobsId();
      await servesAll(codes);
      expect(await place.blobs.installation.read()).toBe(made);
    });

    test("an installation without ids whose database vanished is refused", async () => {
      const codes = await publishSome(place, 3);
      await forgetIds();
      const stranger = await withEmptyDatabase();
      const { code, stderr } = await refusal(stranger);
      expect(code).toBe(2);
      expect(stderr).toContain("knows none of the published files (");
      expect(await keysIn(place.blobs)).toEqual(codes);
      expect(await place.blobs.installation.read()).toBeUndefined();
    });

    test("a database with reports and an empty file store is refused", async () => {
      await publishSome(place, 1);
      await place.blobs.delete((await keysIn(place.blobs)).flatMap((code) => [code, `${code}.z`]));
      await place.forgetBlobsId();
      const { code, stderr } = await refusal(place);
      expect(code).toBe(2);
      expect(stderr).toContain("has reports, but there are no published files (");
    });

    test("a report's missing files don't prevent a server from starting", async () => {
      const codes = await publishSome(place, 2);
      await place.blobs.delete(codes);
      await using program = await startProgram(optionsOf(place));
      expect(await program.stop()).toBe(0);
    });

    test("several servers that start at the same time agree on one id", async () => {
      const programs = await Promise.all(Array.from({ length: 3 }, () => startProgram(optionsOf(place))));
      const id = await place.blobs.installation.read();
      const rows = connectTo(place.database);
      expect(await rows.selectFrom("installation").select("id").execute()).toEqual([{ id: id ?? "" }]);
      await rows.destroy();
      for (const program of programs) expect(await program.stop()).toBe(0);
    });

    test("a held sweep is shown and confirmed by the command", async () => {
      const codes = await publishSome(place, 1);
      expect((await command(place, "blobs sweep")).stderr).toBe("No deletion is on hold.\n");
      const orphans = Array.from({ length: 120 }, (_, number) => `A${String(number).padStart(15, "0")}`);
      for (const key of orphans) await place.blobs.put(key, new Uint8Array([1]));
      const store = await place.database.openStore();
      const old: Blobs = {
        ...place.blobs,
        async *list() {
          for await (const object of place.blobs.list()) yield { ...object, modifiedAt: Date.now() - 30 * DAY };
        },
      };
      const sweepAt = (now: number) =>
        createSweep({ store, blobs: old, clock: { now: () => now }, log: silentLog, orphanDays: 7 });
      await sweepAt(Date.now() - 8 * DAY).run();
      expect((await sweepAt(Date.now()).run()).held?.orphans).toBe(120);
      await store.close();

      const shown = await command(place, "blobs sweep");
      expect(shown).toMatchObject({ code: 0, stdout: "" });
      expect(shown.stderr).toMatch(/^The deletion of 120 of 12\d objects is on hold, for example:\n {2}A0{15}\n/);
      expect(shown.stderr).toEndWith("run: vitrine blobs sweep --confirm 120\n");
      expect((await command(place, "blobs sweep --confirm all")).code).toBe(2);
      expect(await command(place, "blobs sweep --confirm 119")).toMatchObject({ code: 1 });
      expect(await keysIn(place.blobs)).toHaveLength(121);
      const confirmed = await command(place, "blobs sweep --confirm 120 --json");
      expect([confirmed.code, confirmed.stdout]).toEqual([0, '{"removed":120}\n']);
      expect(await keysIn(place.blobs)).toEqual(codes);
      expect((await command(place, "blobs sweep --confirm 120")).stderr).toBe("vitrine: No deletion is on hold.\n");
    });
  });
});
