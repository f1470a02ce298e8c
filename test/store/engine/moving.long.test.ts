import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { copyDatabase } from "../../../src/store/engine/moving/copy.ts";
import { openPostgresSource, openPostgresTarget } from "../../../src/store/engine/postgres/open-moved.ts";
import type { Database } from "../../../src/store/engine/schema.ts";
import { openSqliteSource, openSqliteTarget } from "../../../src/store/engine/sqlite/open-moved.ts";
import { MOVED_TABLES } from "../../../src/store/moved-tables.ts";
import { createTestDatabase, describeEachEngine, type EngineName, type TestDatabase } from "../../support/engines.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { IS_EVERYTHING } from "../../support/runs.ts";
import { describeIf } from "../../support/skip.ts";
import { findWrongCounts } from "../cabinet/item-counts.ts";
import { buildPublication, connectTo, failureOf, openTestStore, type TestStore } from "../support.ts";
import { contentsOf, fill } from "./moving-source.ts";

const NEVER = () => false;

/** Returns a function that returns true after this many calls. */
function stopAfter(times: number) {
  let asked = 0;
  return () => asked++ >= times;
}

async function copy(from: TestDatabase, to: TestDatabase, isStopped = NEVER) {
  const notes: string[] = [];
  const source =
    from.databaseUrl === undefined
      ? openSqliteSource(join(from.dataDir, "vitrine.db"))
      : openPostgresSource(from.databaseUrl);
  const target = await (to.databaseUrl === undefined
    ? openSqliteTarget(join(to.dataDir, "vitrine.db"))
    : openPostgresTarget(to.databaseUrl));
  try {
    const watching = {
      run: crypto.randomUUID(),
      watch: () => undefined,
      note: (text: string) => void notes.push(text),
      isStopped,
    };
    return { ...(await copyDatabase(source, target, watching, MOVED_TABLES)), notes };
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

async function change(database: TestDatabase, act: (rows: Database) => Promise<unknown>): Promise<void> {
  const rows: Database = connectTo(database);
  await act(rows).finally(() => rows.destroy());
}

/** Names that two reports exchange. */
const SWAP = [
  ["group-0", "swapped"],
  ["group-1", "group-0"],
  ["swapped", "group-1"],
] as const;

const ALL_PAIRS = [
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
  ["sqlite", "sqlite"],
  ["postgres", "postgres"],
] as const satisfies (readonly [EngineName, EngineName])[];
/** In short runs, one pair in each direction. */
const PAIRS = IS_EVERYTHING ? ALL_PAIRS : ALL_PAIRS.slice(0, 2);

describeIf("moving a database", postgresUnavailable(), () => {
  const sources = new Map<EngineName, TestStore>();

  beforeAll(async () => {
    for (const engine of ["sqlite", "postgres"] as const) {
      const opened = await openTestStore(engine);
      sources.set(engine, opened);
      await fill(opened);
    }
  });
  afterAll(async () => {
    for (const opened of sources.values()) await opened[Symbol.asyncDispose]();
  });

  function sourceOf(engine: EngineName): TestDatabase {
    const source = sources.get(engine);
    if (source === undefined) throw new Error(`There is no source on ${engine}.`);
    return source.database;
  }

  describe.each([...PAIRS])("from %s to %s", (from, to) => {
    async function withTarget(act: (source: TestDatabase, target: TestDatabase) => Promise<void>): Promise<void> {
      const target = await createTestDatabase(to);
      await act(sourceOf(from), target).finally(target.remove);
    }

    test("every row arrives, and the target is a working database", () =>
      withTarget(async (source, target) => {
        const before = await contentsOf(source);
        const { state, rows, copied, tables } = await copy(source, target);
        expect({ state, copied }).toEqual({ state: "copied", copied: rows });
        for (const { name } of MOVED_TABLES) expect([name, tables[name] ?? 0]).not.toEqual([name, 0]);
        expect(await contentsOf(target)).toEqual(before);
        await change(target, async (rows) => expect(await findWrongCounts(rows)).toEqual([]));
        const store = await target.openStore();
        try {
          const slug = (await sources.get(from)?.rows.selectFrom("workspaces").select("slug").executeTakeFirst())?.slug;
          const owner = await store.people.findUserBySlug(slug ?? "");
          expect(owner).toBeDefined();
          const publication = buildPublication({ userId: owner?.id ?? "", workspaceId: owner?.workspaceId ?? "" });
          // Items up to 620 existed, and the last ones were deleted: none of their numbers is used again.
          expect((await store.publishing.publish(publication)).itemId).toBeGreaterThan(600);
        } finally {
          await store.close();
        }
      }));

    test("a copy that is interrupted repeatedly continues where it stopped", () =>
      withTarget(async (source, target) => {
        let copied = 0;
        for (let run = 1; ; run++) {
          const result = await copy(source, target, stopAfter(3));
          copied += result.copied;
          if (run > 1) expect(result.notes).toEqual(["Continuing the unfinished copy."]);
          if (result.state === "copied") {
            expect(run).toBeGreaterThan(5);
            expect(copied).toBe(result.rows);
            break;
          }
          expect((await failureOf(target.openStore())).message).toContain("a copy into this database is not finished");
        }
        expect(await contentsOf(target)).toEqual(await contentsOf(source));
      }));
  });

  test("a complete copy is not made again", async () => {
    const [source, target] = [sourceOf("sqlite"), await createTestDatabase("postgres")];
    await copy(source, target);
    expect(await copy(source, target)).toMatchObject({ state: "alreadyThere", copied: 0 });
  });

  test.each(["sqlite", "postgres"] as const)("a changed source on %s is copied again", async (engine) => {
    const source = await openTestStore(engine);
    const target = await createTestDatabase(engine === "sqlite" ? "postgres" : "sqlite");
    try {
      await fill(source);
      for (const stop of [stopAfter(14), NEVER]) {
        await copy(source.database, target, stop);
        // A copied row is gone, the last copied report has another name, and another report has its old one.
        await source.rows.deleteFrom("shortcuts").execute();
        for (const [before, after] of SWAP) {
          await source.rows.updateTable("items").set({ name: after }).where("name", "=", before).execute();
        }
        const again = await copy(source.database, target);
        expect(again).toMatchObject({ state: "copied", copied: again.rows });
        expect(again.notes).toEqual(["The source has changed since the last copy. Starting again."]);
        expect(await contentsOf(target)).toEqual(await contentsOf(source.database));
        await source.rows
          .updateTable("workspaces")
          .set({ display_name: String(stop) })
          .execute();
      }
    } finally {
      await source[Symbol.asyncDispose]();
    }
  });

  test.each(["sqlite", "postgres"] as const)("a target on %s that has data is not changed", async (engine) => {
    await using target = await openTestStore(engine);
    await target.build.user();
    const before = await contentsOf(target.database);
    const failure = await failureOf(copy(sourceOf("sqlite"), target.database));
    expect(failure.message).toBe("The target already contains data. Copy into an empty database.");
    expect(await contentsOf(target.database)).toEqual(before);
  });

  test.each(["sqlite", "postgres"] as const)("a copy on %s that was used is not changed", async (engine) => {
    const target = await createTestDatabase(engine);
    await copy(sourceOf("postgres"), target);
    await change(target, (rows) => rows.updateTable("users").set({ name: "Somebody" }).execute());
    const before = await contentsOf(target);
    expect((await failureOf(copy(sourceOf("postgres"), target))).message).toStartWith(
      "The target was used after the copy",
    );
    expect(await contentsOf(target)).toEqual(before);
  });

  describe.each(["sqlite", "postgres"] as const)("a wrong copy into %s", (engine) => {
    test.each([
      [
        "a row differs",
        "The table users has different rows",
        (rows: Database) => rows.updateTable("users").set({ name: "x" }).execute(),
      ],
      [
        "an index is incomplete",
        "The search index search_postings",
        (rows: Database) =>
          rows
            .deleteFrom("search_postings")
            .where("term", ">", 2 ** 30)
            .execute(),
      ],
      [
        "an index has too many rows",
        "The search index code_grams",
        (rows: Database) => rows.insertInto("code_grams").values({ rowid: 9_999, grams: "1 2" }).execute(),
      ],
    ])("is reported: %s", async (_, message, spoil) => {
      const target = await createTestDatabase(engine);
      // After the first batches of the indexes, which follow the tables.
      const { rows } = await copy(sourceOf("sqlite"), target, stopAfter(MOVED_TABLES.length + 5));
      expect(rows).toBeGreaterThan(600);
      await change(target, spoil);
      expect((await failureOf(copy(sourceOf("sqlite"), target))).message).toStartWith(message);
      expect((await failureOf(target.openStore())).message).toContain("a copy into this database is not finished");
    });
  });

  test("two copies into one database do not mix", async () => {
    const target = await createTestDatabase("postgres");
    const results = await Promise.allSettled([copy(sourceOf("sqlite"), target), copy(sourceOf("sqlite"), target)]);
    expect(results.some(({ status }) => status === "rejected")).toBe(true);
    expect((await copy(sourceOf("sqlite"), target)).state).toMatch(/^(copied|alreadyThere)$/);
    expect(await contentsOf(target)).toEqual(await contentsOf(sourceOf("sqlite")));
  });

  test("an incomplete copy can't be a source", async () => {
    const [half, target] = [await createTestDatabase("sqlite"), await createTestDatabase("sqlite")];
    await copy(sourceOf("sqlite"), half, stopAfter(5));
    expect((await failureOf(copy(half, target))).message).toContain("is not finished");
  });
});

describeEachEngine("moving", (engine) => {
  test("knows every table", async () => {
    await using opened = await openTestStore(engine);
    const tables = await opened.rows.introspection.getTables();
    const isDerived = (name: string) =>
      /^(item|code)_grams|^item_count|^search_(postings|changes)|^trash_sizes$|^subtree_count_pauses$|^migrations$/.test(
        name,
      );
    const own = tables.filter(({ name, isView }) => !isView && !isDerived(name)).map(({ name }) => name);
    expect(own.toSorted()).toEqual(MOVED_TABLES.map(({ name }) => name).toSorted());
  });
});
