import { join } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import { Client, Pool } from "pg";
import { rebuildPostings } from "../../src/store/engine/postings/merge.ts";
import type { Schema } from "../../src/store/engine/schema.ts";
import { Connection } from "../../src/store/engine/sqlite/connection.ts";
import { kyselyOver } from "../../src/store/engine/sqlite/dialect.ts";

export type Value = string | number | null;
export type RowOf = Readonly<Record<string, Value>>;

/** Inserts many rows directly into a database that no server uses. */
export interface Bulk {
  first<Row extends object>(query: string): Promise<Row | undefined>;
  insert(table: string, rows: readonly RowOf[]): Promise<void>;
  run(statement: string): Promise<void>;
  /** Commits the rows, with the statistics and layout that the database would soon have anyway. */
  finish(): Promise<void>;
}

const columnsOf = (row: RowOf) => Object.keys(row).join(", ");

export function openSqliteBulk(dataDir: string): Bulk {
  const database = new Connection(join(dataDir, "vitrine.db"), { readwrite: true });
  database.run("pragma cache_size = -400000");
  database.run("begin");
  return {
    first: async <Row extends object>(query: string) => database.query<Row, []>(query).get() ?? undefined,
    async insert(table, rows) {
      if (rows.length === 0) return;
      const [first = {}] = rows;
      const places = Object.keys(first).map(() => "?");
      const statement = database.query(`insert into ${table} (${columnsOf(first)}) values (${places.join(", ")})`);
      for (const row of rows) statement.run(...Object.values(row));
    },
    run: async (statement) => void database.run(statement),
    async finish() {
      // Triggers have logged every row, one by one.
      await rebuildPostings(kyselyOver(database));
      database.run("commit");
      database.run("pragma wal_checkpoint(truncate)");
      database.close();
    },
  };
}

export async function openPostgresBulk(databaseUrl: string): Promise<Bulk> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("begin");
  // Building indexes at the end takes a tenth of the time.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    "select indexname as name, indexdef as definition from pg_indexes where indexdef like '%USING gin%'",
  );
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  return {
    first: async <Row extends object>(query: string) => (await client.query<Row>(query)).rows[0],
    async insert(table, rows) {
      if (rows.length === 0) return;
      const columns = columnsOf(rows[0] ?? {});
      const source = `json_populate_recordset(null::${table}, $1)`;
      await client.query(`insert into ${table} (${columns}) select ${columns} from ${source}`, [JSON.stringify(rows)]);
    },
    run: async (statement) => void (await client.query(statement)),
    async finish() {
      for (const { definition } of indexes) await client.query(definition);
      for (const table of ["items", "search_codes"]) {
        await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
      }
      await client.query("commit");
      const pool = new Pool({ connectionString: databaseUrl, max: 1 });
      await rebuildPostings(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }));
      await pool.end();
      await client.query("vacuum analyze");
      await client.end();
    },
  };
}
