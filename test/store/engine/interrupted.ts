import { expect, test } from "bun:test";
import { type Kysely, type KyselyPlugin, sql } from "kysely";
import { type Engine, postgresEngine, sqliteEngine } from "../../../src/store/engine/engine.ts";
import { migrate } from "../../../src/store/engine/migrate.ts";
import { migrations } from "../../../src/store/engine/migrations/index.ts";
import { describeEachEngine, type EngineName, type TestDatabase } from "../../support/engines.ts";
import { connectTo } from "../support.ts";
import { contentsOf } from "./moving-source.ts";

export const engineNamed = (name: EngineName): Engine => (name === "sqlite" ? sqliteEngine : postgresEngine);

/** Migrates a database. Calls `before` with the number of each statement that it is about to run. */
export async function migrateStepwise(
  database: Kysely<unknown>,
  engine: Engine,
  before: (statement: number) => void,
): Promise<void> {
  let statement = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      before(++statement);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await migrate(database.withPlugin(counter), engine, migrations);
}

/** What an interruption does, and how often it is tried. */
interface Interruption {
  /** Interrupts migrating before this statement. */
  interrupt(database: TestDatabase, statement: number): Promise<void>;
  /** How many statements to try, evenly. */
  trials: number;
}

/** Registers tests that migrating from some database is resumed, wherever it was interrupted. */
export function describeInterrupted(
  name: string,
  open: (engine: EngineName) => Promise<TestDatabase>,
  { interrupt, trials }: Interruption,
): void {
  describeEachEngine(`migrating ${name}`, (engineName) => {
    test("is resumed", async () => {
      const whole = await open(engineName);
      let statements = 0;
      await using(whole, (rows) =>
        migrateStepwise(rows, engineNamed(engineName), (statement) => (statements = statement)),
      );
      const expected = await describeDatabase(whole);
      await whole.remove();
      expect(statements).toBeGreaterThan(10);
      const stride = Math.max(1, Math.floor(statements / trials));
      for (let statement = statements; statement > 0; statement -= stride) {
        const database = await open(engineName);
        await interrupt(database, statement);
        await using(database, (rows) => migrate(rows, engineNamed(engineName), migrations));
        expect([statement, await describeDatabase(database)]).toEqual([statement, expected]);
        await database.remove();
      }
    });
  });
}

async function using(database: TestDatabase, work: (rows: Kysely<unknown>) => Promise<void>): Promise<void> {
  const rows = connectTo<unknown>(database);
  await work(rows).finally(() => rows.destroy());
}

/** Fails at a statement and at all that follow, as if the process had ended, and closes the connection. */
export async function failAt(database: TestDatabase, last: number): Promise<void> {
  let failures = 0;
  await using(database, async (rows) => {
    const migrating = migrateStepwise(rows, engineNamed(database.engine), (statement) => {
      if (statement < last) return;
      failures++;
      throw new Error("interrupted");
    });
    await migrating.then(
      () => {
        throw new Error("It was not interrupted.");
      },
      (error: Error) => expect(error.message).toBe("interrupted"),
    );
  });
  expect(failures).toBeGreaterThan(0);
}

const SCHEMAS: Readonly<Record<EngineName, string>> = {
  sqlite: "select type || ' ' || name || ' ' || coalesce(sql, '') as line from sqlite_master order by 1",
  postgres: `
    select table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
      as line from information_schema.columns where table_schema = 'public'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
    order by 1`,
};

/** Returns the schema and all rows of a migrated database. */
async function describeDatabase(database: TestDatabase) {
  const rows = connectTo<unknown>(database);
  const schema = await sql<{ line: string }>`${sql.raw(SCHEMAS[database.engine])}`.execute(rows);
  const applied = await sql`select * from migrations order by number`.execute(rows);
  await rows.destroy();
  return { schema: schema.rows, applied: applied.rows, contents: await contentsOf(database) };
}
