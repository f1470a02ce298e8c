import { beforeEach, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../../src/domain/model/failure.ts";
import { uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, type Owner, openTestStore, storedBytes } from "../support.ts";

const WAL_HEADER = 32;
const FRAME_HEADER = 24;

/** Counts the commits in a write-ahead log: each ends in a frame with the database's size (sqlite.org/fileformat2). */
async function countCommits(dataDir: string): Promise<number> {
  const log = await readFile(join(dataDir, "vitrine.db-wal"));
  if (log.length < WAL_HEADER) return 0;
  const pageSize = log.readUInt32BE(8);
  let commits = 0;
  for (let start = WAL_HEADER; start + FRAME_HEADER <= log.length; start += FRAME_HEADER + pageSize) {
    if (log.readUInt32BE(start + 4) !== 0) commits++;
  }
  return commits;
}

describe("group commit on sqlite", () => {
  const shared = use(() => openTestStore("sqlite"));
  let owner: Owner;

  beforeEach(async () => {
    owner = await addOwner(shared);
  });

  const publish = (name: string | undefined, overrides: Parameters<typeof buildPublication>[1] = {}) =>
    shared.store.publishing.publish(buildPublication(owner, { name, ...overrides }));

  const outcomes = async (attempts: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(attempts)).map((result) => {
      if (result.status === "fulfilled") return "done";
      return result.reason instanceof Failure ? result.reason.kind : "unforeseen";
    });

  const namesOf = async ({ workspaceId }: Owner) =>
    (await shared.rows.selectFrom("items").select("name").where("workspace_id", "=", workspaceId).execute()).map(
      ({ name }) => name,
    );

  test("failed writes don't undo others in their transaction", async () => {
    const taken = uniqueName();
    const another = await addOwner(shared);
    await shared.store.publishing.publish(buildPublication(another, { name: taken }));
    const good = Array.from({ length: 40 }, () => uniqueName());
    const attempts = good.flatMap((name, position) => [
      publish(name),
      // Each fails at a different point: at once, after creating the item, and after adding the version.
      position % 3 === 0 ? publish(taken) : Promise.reject(new Failure("Conflict", "not sent")),
      position % 3 === 1
        ? publish(`${name}-x`, { userId: "usr_nobody" })
        : Promise.reject(new Failure("Conflict", "not sent")),
      position % 3 === 2 ? publish(`${name}-y`, { quota: 5 }) : Promise.reject(new Failure("QuotaFull", "not sent")),
    ]);
    expect(await outcomes(attempts)).toEqual(good.flatMap(() => ["done", "Conflict", "Conflict", "QuotaFull"]));
    expect((await namesOf(owner)).toSorted()).toEqual(good.toSorted());
    expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(40 * 10);
  });

  test("after a batch of failures, the next one works", async () => {
    const attempts = Array.from({ length: 70 }, () => publish(uniqueName(), { quota: 5 }));
    expect(new Set(await outcomes(attempts))).toEqual(new Set(["QuotaFull"]));
    expect(await namesOf(owner)).toEqual([]);
    expect(await outcomes([publish(uniqueName())])).toEqual(["done"]);
  });

  test("writes take effect in the order of the calls", async () => {
    const names = Array.from({ length: 5 }, () => uniqueName());
    const published = await Promise.all(
      Array.from({ length: 200 }, async (_, position) => (await publish(names[position % 5])).versionNo),
    );
    expect(published).toEqual(Array.from({ length: 200 }, (_, position) => Math.floor(position / 5) + 1));
  });

  test("the next read sees an answered write", async () => {
    for (let round = 0; round < 20; round++) {
      const publication = buildPublication(owner);
      const others = Array.from({ length: 5 }, () => publish(undefined));
      await shared.store.publishing.publish(publication);
      expect(await shared.store.reports.findServedState(publication.code)).toMatchObject({ visibility: "private" });
      await Promise.all(others);
    }
  });

  test("a probe is a commit that reaches the disk", async () => {
    await using fresh = await openTestStore("sqlite");
    const start = await countCommits(fresh.database.dataDir);
    for (const id of ["probe_1", "probe_2", "probe_3"]) await fresh.store.operations.writeProbe({ id, now: 1 });
    expect((await countCommits(fresh.database.dataDir)) - start).toBe(3);
  });

  test("concurrent writes share commits", async () => {
    await using fresh = await openTestStore("sqlite");
    const { slug } = await addOwner(fresh);
    // Each has to change something: SQLite doesn't write unchanged values.
    const change = (_: unknown, position: number) =>
      fresh.store.people.setPlan({ slug, plan: position % 2 === 0 ? "free" : "pro" });
    const start = await countCommits(fresh.database.dataDir);
    for (let made = 0; made < 100; made++) await change(undefined, made);
    const alone = (await countCommits(fresh.database.dataDir)) - start;
    await Promise.all(Array.from({ length: 101 }, change));
    const together = (await countCommits(fresh.database.dataDir)) - start - alone;
    expect(alone).toBe(100);
    expect(together).toBeGreaterThanOrEqual(1);
    expect(together).toBeLessThanOrEqual(10);
  });
});
