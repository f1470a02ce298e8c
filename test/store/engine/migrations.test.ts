import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Kysely, sql } from "kysely";
import packageJson from "../../../package.json";
import { newCode } from "../../../src/domain/model/codes.ts";
import type { Reader } from "../../../src/domain/model/entities.ts";
import { type Engine, postgresEngine, sqliteEngine } from "../../../src/store/engine/engine.ts";
import { type Migration, migrate } from "../../../src/store/engine/migrate.ts";
import { migrations } from "../../../src/store/engine/migrations/index.ts";
import type { Database } from "../../../src/store/engine/schema.ts";
import type { Store } from "../../../src/store/store.ts";
import { createTestDatabase, describeEachEngine, type TestDatabase } from "../../support/engines.ts";
import { IS_EVERYTHING, runsOf } from "../../support/runs.ts";
import { createFactories, random } from "../../support/service.ts";
import { findWrongCounts } from "../cabinet/item-counts.ts";
import { connectTo, failureOf } from "../support.ts";

const NEXT = (migrations.at(-1)?.number ?? 0) + 1;
const upTo = (last: number) => migrations.filter(({ number }) => number <= last);
const every = migrations.map(({ number, name }) => ({ number, name }));

/** A migration that comes after all existing ones. */
const buildMigration = (up: Migration["up"]): Migration => ({ number: NEXT, name: "next", up });

describeEachEngine("migrations", (engineName) => {
  const engine: Engine = engineName === "sqlite" ? sqliteEngine : postgresEngine;
  let database: TestDatabase;
  let rows: Kysely<unknown>;
  let stores: Store[];

  beforeEach(async () => {
    database = await createTestDatabase(engineName);
    rows = connectTo<unknown>(database);
    stores = [];
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    await rows.destroy();
    await database.remove();
  });

  async function openStore(): Promise<Store> {
    const store = await database.openStore();
    stores.push(store);
    return store;
  }

  const applied = async () =>
    (await sql<{ number: number; name: string }>`select number, name from migrations order by number`.execute(rows))
      .rows;

  async function hasTable(name: string): Promise<boolean> {
    const tables = await rows.introspection.getTables();
    return tables.some((table) => table.name === name);
  }

  test("an empty database gets the newest schema", async () => {
    const store = await openStore();
    expect(await applied()).toEqual(every);
    expect(await store.people.countUsers()).toBe(0);
  });

  test("opening a database again changes nothing", async () => {
    const first = await openStore();
    const { slug } = await createFactories(first).user();
    const second = await openStore();
    expect(await applied()).toEqual(every);
    expect(await second.people.findUserBySlug(slug)).toBeDefined();
  });

  test("stores opened concurrently create one schema", async () => {
    for (let round = 0; round < runsOf(20); round++) {
      const shared = await createTestDatabase(engineName);
      const opened = await Promise.allSettled(Array.from({ length: 4 }, () => shared.openStore()));
      const connection = connectTo<unknown>(shared);
      try {
        expect(opened.map((store) => (store.status === "rejected" ? String(store.reason) : "opened"))).toEqual(
          Array.from({ length: 4 }, () => "opened"),
        );
        const { rows: notes } = await sql`select number, name from migrations order by number`.execute(connection);
        expect(notes).toEqual(every);
      } finally {
        for (const store of opened) if (store.status === "fulfilled") await store.value.close();
        await connection.destroy();
        await shared.remove();
      }
    }
  });

  test("processes that open a database concurrently create one schema", async () => {
    const [module, open] =
      engineName === "sqlite" ? ["open-sqlite.ts", "openSqlite"] : ["open-postgres.ts", "openPostgres"];
    const program = `
      const { ${open} } = await import(${JSON.stringify(new URL(`../../../src/store/${module}`, import.meta.url).href)});
      const store = await ${open}(${JSON.stringify(database.databaseUrl ?? database.dataDir)});
      await store.close();
      process.exit(0);`;
    const processes = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, "-e", program], { stdout: "ignore", stderr: "pipe" }),
    );
    const outcomes = await Promise.all(
      processes.map(async (child) => ({ stderr: await child.stderr.text(), exitCode: await child.exited })),
    );
    expect(outcomes).toEqual(processes.map(() => ({ stderr: "", exitCode: 0 })));
    expect(await applied()).toEqual(every);
  });

  test("a migration that fails midway leaves nothing behind, and the database usable", async () => {
    const store = await openStore();
    const { slug } = await createFactories(store).user();
    const failing = buildMigration(async (connection) => {
      await connection.schema.createTable("halves").addColumn("id", "integer").execute();
      await sql`update users set name = 'half done'`.execute(connection);
      throw new Error("halfway");
    });
    const failure = await failureOf(migrate(rows, engine, [...migrations, failing]));
    expect(failure.message).toBe("halfway");
    expect(await hasTable("halves")).toBe(false);
    expect(await applied()).toEqual(every);
    expect((await sql`select name from users`.execute(rows)).rows).toEqual([{ name: null }]);
    expect(await createFactories(store).user()).toMatchObject({ token: expect.stringContaining("vtr_") });
    expect(await store.people.findUserBySlug(slug)).toBeDefined();

    const fixed = buildMigration(async (connection) => {
      await connection.schema.createTable("halves").addColumn("id", "integer").execute();
    });
    await migrate(rows, engine, [...migrations, fixed]);
    expect(await hasTable("halves")).toBe(true);
    expect(await applied()).toEqual([...every, { number: NEXT, name: "next" }]);
  });

  test("the first of several failing migrations stops the rest", async () => {
    const table =
      (name: string): Migration["up"] =>
      async (connection) => {
        await connection.schema.createTable(name).addColumn("id", "integer").execute();
      };
    const failing = async () => {
      throw new Error("the second fails");
    };
    const three = [table("firsts"), failing, table("thirds")].map((up, position) => ({
      number: NEXT + position,
      name: `extra ${position}`,
      up,
    }));
    const failure = await failureOf(migrate(rows, engine, [...migrations, ...three]));
    expect(failure.message).toBe("the second fails");
    expect([await hasTable("firsts"), await hasTable("thirds")]).toEqual([true, false]);
    expect((await applied()).map(({ number }) => number)).toEqual([...every.map(({ number }) => number), NEXT]);
  });

  test("a database newer than the program is refused and not changed", async () => {
    await openStore();
    const future = buildMigration(async (connection) => {
      await connection.schema.createTable("futures").addColumn("id", "integer").execute();
    });
    await migrate(rows, engine, [...migrations, future]);
    await sql`update migrations set version = '9.9.9' where number = ${NEXT}`.execute(rows);
    const failure = await failureOf(database.openStore());
    expect(failure.message).toBe(
      `The database was upgraded by Vitrine 9.9.9 (schema ${NEXT}), but this is Vitrine ${packageJson.version} ` +
        `(schema ${NEXT - 1}). Start the newer version, or restore a backup.`,
    );
    expect(await hasTable("futures")).toBe(true);
    expect((await applied()).at(-1)).toEqual({ number: NEXT, name: "next" });
  });

  // All of them with all tests; otherwise the oldest states, and the one before this release.
  const states = migrations.filter(({ number }) => IS_EVERYTHING || number <= 2 || number === NEXT - 2);
  test.each(states.map(({ number, name }) => [number, name] as const))(
    "rows written at migration %d (%s) are present in the newest schema",
    async (number) => {
      await migrate(rows, engine, upTo(number));
      const filler = fillers.findLast(({ since }) => since <= number);
      if (filler === undefined) throw new Error(`There is no filler for migration ${number}.`);
      const old = await filler.fill(rows);
      const store = await openStore();
      expect(await applied()).toEqual(every);
      expect(await store.people.findUserBySlug(old.slug)).toEqual({ id: old.userId, workspaceId: old.workspaceId });
      expect(await store.reports.findNamedReport("old-group")).toMatchObject({
        item: { name: "old-group", currentCode: old.code, visibility: "org", creatorId: old.userId },
        version: { code: old.code, versionNo: 3, title: "Old", visibility: "public", storage: "none" },
      });
      expect(await store.reports.findServed(old.code)).toEqual({
        visibility: "public",
        storage: "none",
        workspaceId: old.workspaceId,
        files: [
          { path: "index.html", offset: 0, size: 4, digest: "d1" },
          { path: "a.css", offset: 4, size: 6, digest: "d2" },
        ],
        standIns: [],
      });
      expect(await store.operations.listUnswept(10)).toEqual([old.retiredCode]);
    },
  );

  test("reports from before the counts were kept are counted", async () => {
    await migrate(rows, engine, upTo(15));
    const { userId, workspaceId } = await fillFirst(rows, "image");
    const member = "usr_member";
    const statements = [
      sql`insert into users (id, email, email_verified, created_at, updated_at) values (${member}, 'm@example.org', 1, 1, 1)`,
      sql`insert into folders (id, workspace_id, title, created_at) values ('fld_1', ${workspaceId}, 'F', 1)`,
      sql`insert into tags (id, workspace_id, title, created_at) values ('tag_1', ${workspaceId}, 'T', 1), ('tag_2', ${workspaceId}, 'U', 1)`,
      sql`insert into items (workspace_id, creator_id, name, visibility, current_code, last_version_no, folder_id,
          current_creator_id, current_visibility, created_at, updated_at)
        values (${workspaceId}, ${userId}, 'private', 'private', 'a', 1, 'fld_1', ${userId}, 'private', 1, 1),
          (${workspaceId}, ${userId}, 'shared', 'org', 'b', 1, 'fld_1', ${userId}, 'public', 1, 1),
          (${workspaceId}, ${userId}, 'withdrawn', 'org', 'c', 1, null, ${member}, 'private', 1, 1),
          (${workspaceId}, ${member}, 'own', 'private', 'd', 1, null, ${member}, 'private', 1, 1)`,
      sql`insert into item_tags (item_id, tag_id, workspace_id)
        select items.id, tags.id, tags.workspace_id from items cross join tags
        where items.name in ('private', 'withdrawn') or (items.name = 'shared' and tags.id = 'tag_1')`,
    ];
    for (const statement of statements) await statement.execute(rows);
    const store = await openStore();
    const migrated: Database = connectTo(database);
    expect(await findWrongCounts(migrated).finally(() => migrated.destroy())).toEqual([]);
    const countsOf = async (reader: Reader) => {
      const { folders, tags, ...taxonomy } = await store.cabinet.readTaxonomy({ workspaceId, reader });
      const counts = [...folders, ...tags].map(({ itemCount }) => itemCount);
      return [...counts, taxonomy.itemCount, taxonomy.unfiledCount, taxonomy.untaggedCount];
    };
    // One more report is there in all tests of migrations. It has no current version, so only its creator reads it.
    expect(await countsOf({ userId, role: "owner" })).toEqual([2, 3, 2, 5, 3, 2]);
    expect(await countsOf({ userId: member, role: "member" })).toEqual([1, 2, 1, 3, 2, 1]);
    expect(await countsOf({ userId: "usr_other", role: "member" })).toEqual([1, 1, 0, 1, 0, 0]);
  });

  test("addresses from before open registration count as verified", async () => {
    await migrate(rows, engine, upTo(2));
    await fillFirst(rows, "image");
    await openStore();
    expect((await sql`select email_verified from users`.execute(rows)).rows).toEqual([{ email_verified: 1 }]);
  });
});

/** If a migration makes these statements invalid, it needs a separate filler. */
const fillers = [
  { since: 1, fill: (rows: Kysely<unknown>) => fillFirst(rows, "password_hash") },
  { since: 2, fill: (rows: Kysely<unknown>) => fillFirst(rows, "image") },
];

/** Inserts rows in SQL for the schema of the first migration, except for one column of users that moved. */
async function fillFirst(rows: Kysely<unknown>, textColumn: "password_hash" | "image") {
  const old = {
    slug: "old",
    userId: "usr_old",
    workspaceId: "wsp_old",
    code: newCode(random),
    retiredCode: newCode(random),
  };
  const statements = [
    sql`insert into users (id, email, name, ${sql.ref(textColumn)}, created_at) values (${old.userId}, 'old@example.org', 'Old', 'x', 1)`,
    sql`insert into workspaces (id, slug, kind, display_name, plan, stored_bytes, created_at)
      values (${old.workspaceId}, ${old.slug}, 'user', 'Old', 'pro', 10, 1)`,
    sql`insert into memberships (workspace_id, user_id, role, created_at) values (${old.workspaceId}, ${old.userId}, 'owner', 1)`,
    sql`insert into items (workspace_id, creator_id, name, visibility, current_code, last_version_no, created_at, updated_at)
      values (${old.workspaceId}, ${old.userId}, 'old-group', 'org', ${old.code}, 3, 1, 2)`,
    sql`insert into versions (code, item_id, creator_id, version_no, title, visibility, size, files, created_at)
      select ${old.code}, id, ${old.userId}, 3, 'Old', 'public', 10, ${'[["index.html",4,"d1"],["a.css",6,"d2"]]'}, 2 from items`,
    sql`insert into retired_codes (code, retired_at) values (${old.retiredCode}, 1)`,
  ];
  for (const statement of statements) await statement.execute(rows);
  return old;
}
