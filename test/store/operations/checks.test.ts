import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Problem } from "../../../src/domain/operations/backup/verify.ts";
import { postgresDifferences, sqliteDifferences } from "../../../src/store/engine/moving/differences.ts";
import { mergeChanges } from "../../../src/store/engine/postings/merge.ts";
import type { Schema } from "../../../src/store/engine/schema.ts";
import { openSqliteSource } from "../../../src/store/engine/sqlite/open-moved.ts";
import { checkDatabase } from "../../../src/store/operations/checks.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { addOwner, buildPublication, openTestStore, type TestStore } from "../support.ts";

type Rows = Kysely<Schema>;

/** How a row is spoiled, and the problems that this makes, by part. */
const SPOILED: readonly [string, (rows: Rows) => Promise<unknown>, readonly string[]][] = [
  [
    "a current version that is missing",
    (rows) => rows.updateTable("items").set({ current_code: "gone" }).where("name", "=", "one").execute(),
    ["current versions"],
  ],
  [
    "a title of another version",
    (rows) =>
      rows
        .updateTable("versions")
        .set({ title: "Other" })
        .where("code", "in", rows.selectFrom("items").select("current_code").where("name", "=", "one"))
        .execute(),
    ["current versions"],
  ],
  [
    "a version that isn't counted",
    (rows) => rows.updateTable("items").set({ last_version_no: 1 }).where("name", "=", "one").execute(),
    ["versions"],
  ],
  [
    "a code that is deleted",
    (rows) =>
      rows
        .insertInto("retired_codes")
        .columns(["code", "retired_at"])
        .expression((query) =>
          query
            .selectFrom("items")
            .select(["current_code", sql<number>`1`.as("at")])
            .where("name", "=", "one"),
        )
        .execute(),
    ["versions"],
  ],
  [
    "stored bytes",
    (rows) => rows.updateTable("workspaces").set({ stored_bytes: sql`stored_bytes + 1` }).execute(),
    ["quotas"],
  ],
  [
    "a size",
    (rows) => rows.updateTable("versions").set({ size: sql`size + 1` }).where("title", "=", "Second").execute(),
    ["quotas", "versions"],
  ],
  [
    "a tag of another workspace",
    (rows) => rows.updateTable("item_tags").set({ workspace_id: "elsewhere" }).execute(),
    ["counts", "counts", "references"],
  ],
  [
    "a count",
    (rows) => sql`update item_counts set count = count + 1 where kind = 'tag' and reader = 'owners'`.execute(rows),
    ["counts"],
  ],
  [
    "a count of nothing",
    (rows) =>
      sql`insert into item_counts (workspace_id, reader, kind, place, count)
        select id, 'members', 'tag', 'tag_gone', 1 from workspaces`.execute(rows),
    ["counts"],
  ],
  [
    "a size of the trash",
    (rows) => sql`insert into trash_sizes (workspace_id, bytes, entries) select id, 1, 1 from workspaces`.execute(rows),
    ["trash"],
  ],
  [
    "an entry of the trash without its version",
    (rows) =>
      sql`insert into deletions (id, workspace_id, user_id, snapshot, expires_at, kind, size, versions)
        select 'trs_1', workspace_id, creator_id, '{}', 9, 'version', 7, 1 from items where name = 'one'`.execute(rows),
    ["trash"],
  ],
  ["counts that are missing", (rows) => sql`delete from item_counts`.execute(rows), ["counts"]],
  [
    "a code that search lacks",
    (rows) =>
      rows
        .deleteFrom("search_codes")
        .where("code", "in", rows.selectFrom("items").select("current_code").where("name", "=", "one"))
        .execute(),
    ["search index", "search index"],
  ],
  [
    "a name without its search text",
    (rows) => rows.updateTable("items").set({ name: "other" }).where("name", "=", "one").execute(),
    ["search index"],
  ],
  [
    "reports at a piece of text",
    async (rows) => {
      await mergeChanges(rows);
      await rows.deleteFrom("search_postings").where("block", "=", 0).execute();
    },
    ["search index"],
  ],
  [
    "reports at a place",
    async (rows) => {
      await mergeChanges(rows);
      await rows.deleteFrom("search_postings").where("block", "<", 0).execute();
    },
    ["search index"],
  ],
  [
    "pieces of a code",
    (rows) => rows.insertInto("code_grams").values({ rowid: 99_999, grams: "1 2" }).execute(),
    ["search index"],
  ],
];

/** Undoes what a test has spoiled. */
class Undone extends Error {}

describeEachEngine("checking a database", (engine) => {
  let opened: TestStore;

  beforeAll(async () => {
    opened = await openTestStore(engine);
    const owner = await addOwner(opened);
    for (const title of ["First", "Second"]) {
      await opened.store.publishing.publish(buildPublication(owner, { name: "one", title }));
    }
    await opened.store.publishing.publish(buildPublication(owner));
    const { workspaceId: workspace_id } = owner;
    const tag = { id: "tag_1", workspace_id, parent_id: null, title: "T", search_title: "t", created_at: 1 };
    await opened.rows.insertInto("tags").values(tag).execute();
    const { id: item_id } = await opened.rows
      .selectFrom("items")
      .select("id")
      .where("name", "=", "one")
      .executeTakeFirstOrThrow();
    await opened.rows.insertInto("item_tags").values({ item_id, tag_id: "tag_1", workspace_id }).execute();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  /** Returns the problems of the database after it was spoiled. */
  async function check(spoil: (rows: Rows) => Promise<unknown>): Promise<Problem[]> {
    const problems: Problem[] = [];
    const differences = engine === "sqlite" ? sqliteDifferences : postgresDifferences;
    await opened.rows
      .transaction()
      .execute(async (rows) => {
        await spoil(rows);
        await checkDatabase(rows, differences, (problem) => problems.push(problem));
        throw new Undone();
      })
      .catch((error) => {
        if (!(error instanceof Undone)) throw error;
      });
    return problems;
  }

  test("finds nothing where nothing is wrong", async () => {
    expect(await check(async () => undefined)).toEqual([]);
  });

  test.each([...SPOILED])("finds %s", async (_, spoil, parts) => {
    expect((await check(spoil)).map(({ part }) => part).toSorted()).toEqual([...parts]);
  });

  test("finds references to nothing", async () => {
    const problems = await check(async (rows) => {
      await (engine === "sqlite"
        ? sql`pragma defer_foreign_keys = on`
        : sql`set local session_replication_role = replica`
      ).execute(rows);
      // SQLite deletes rows that refer to these, if their keys say so.
      await rows.updateTable("items").set({ folder_id: "fld_1" }).execute();
      await rows.updateTable("versions").set({ creator_id: "usr_1" }).execute();
    });
    expect(problems.filter(({ part }) => part === "references")).toEqual([
      ...Array(2).fill({
        part: "references",
        message: "A row of items refers to fld_1 in folders, which doesn't exist.",
      }),
      ...Array(3).fill({
        part: "references",
        message: "A row of versions refers to usr_1 in users, which doesn't exist.",
      }),
    ]);
  });

  test("lists some of many problems and counts the rest", async () => {
    const problems = await check(async (rows) => {
      const codes = Array.from({ length: 25 }, (_, number) => ({ item_id: 1, code: `gone-${number}`, folded: "gone" }));
      await rows.insertInto("search_codes").values(codes).execute();
    });
    const messages = problems.map(({ message }) => message);
    expect(messages.filter((message) => message.includes("for the code gone-"))).toHaveLength(20);
    expect(messages).toContain("The same problem exists 5 more times.");
  });
});

describe("the checks", () => {
  test("include every foreign key", async () => {
    await using opened = await openTestStore("sqlite");
    const source = openSqliteSource(join(opened.database.dataDir, "vitrine.db"));
    const keys = await source.differences.listReferences(source.database).finally(source.close);
    const names = keys.map(({ table, columns, target }) => `${table}.${columns} ${target}`);
    expect(names).toContain("items.workspace_id workspaces");
    expect(names).toContain("versions.item_id items");
    expect(names).toContain("tags.parent_id tags");
  });
});
