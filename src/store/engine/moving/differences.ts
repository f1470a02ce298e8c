import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { readBatches } from "./rows.ts";

/** The differences between the two databases that matter to copying. */
export interface Differences {
  /** Returns the names of a table's columns. */
  listColumns(database: Database, table: string): Promise<string[]>;
  /** Returns the highest key that a table has ever generated, or 0. */
  readLastNumber(database: Database, table: string): Promise<number>;
  setLastNumber(database: Database, table: string, last: number): Promise<void>;
  /** Yields every piece in the index of codes with its row, each pair once. */
  listGrams(database: Database): AsyncIterable<readonly [rowid: number, gram: string]>;
  /** Returns the foreign keys of all tables. */
  listReferences(database: Database): Promise<ForeignKey[]>;
  /** Returns sentences about damage to the database's own structures. */
  findCorruption(database: Database): Promise<string[]>;
}

export interface ForeignKey {
  table: string;
  columns: readonly string[];
  target: string;
  targetColumns: readonly string[];
}

export const sqliteDifferences: Differences = {
  async listColumns(database, table) {
    const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(database);
    return rows.map(({ name }) => name);
  },
  async readLastNumber(database, table) {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
      database,
    );
    return rows[0]?.seq ?? 0;
  },
  async setLastNumber(database, table, last) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(database);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(database);
  },
  async *listGrams(database) {
    const name = sql.id("temp", "code_grams_pieces");
    await sql`create virtual table if not exists ${name} using fts5vocab('main', 'code_grams', 'instance')`.execute(
      database,
    );
    const pieces = sql<{ term: string; doc: number }>`(select term, doc from ${name})`.as("pieces");
    for await (const { term, doc } of database.selectFrom(pieces).select(["term", "doc"]).stream()) yield [doc, term];
  },
  async listReferences(database) {
    const { rows } = await sql<KeyColumn>`
      select tables.name as "table", keys.id as "key", keys."from" as "column", keys."table" as target,
        keys."to" as target_column
      from sqlite_master as tables, pragma_foreign_key_list(tables.name) as keys
      where tables.type = 'table' order by tables.name, keys.id, keys.seq`.execute(database);
    return groupKeys(rows);
  },
  async findCorruption(database) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(database);
    return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
  },
};

interface KeyColumn {
  table: string;
  key: number | string;
  column: string;
  target: string;
  target_column: string;
}

/** Returns foreign keys from rows with one column each. */
function groupKeys(rows: readonly KeyColumn[]): ForeignKey[] {
  const keys = Map.groupBy(rows, ({ table, key }) => `${table} ${key}`);
  return [...keys.values()].map((columns) => ({
    table: columns[0]?.table ?? "",
    columns: columns.map(({ column }) => column),
    target: columns[0]?.target ?? "",
    targetColumns: columns.map((one) => one.target_column),
  }));
}

export const postgresDifferences: Differences = {
  async listColumns(database, table) {
    const { rows } = await sql<{ name: string }>`
      select attname as name from pg_attribute
      where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(database);
    return rows.map(({ name }) => name);
  },
  async readLastNumber(database, table) {
    const { rows } = await sql<{ last: number | null }>`
      select pg_sequence_last_value(pg_get_serial_sequence(${table}, 'id')::regclass) as last`.execute(database);
    return rows[0]?.last ?? 0;
  },
  async setLastNumber(database, table, last) {
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${Math.max(1, last)}, ${last > 0})`.execute(
      database,
    );
  },
  async *listGrams(database) {
    const keyed = { from: sql.table("code_grams"), columns: ["rowid", "grams"], key: ["rowid"] };
    for await (const rows of readBatches(database, keyed)) {
      for (const { rowid, grams } of rows) {
        for (const gram of new Set(String(grams).split(" ").filter(Boolean))) yield [Number(rowid), gram];
      }
    }
  },
  async listReferences(database) {
    const { rows } = await sql<KeyColumn>`
      select keys.conrelid::regclass::text as "table", keys.conname as "key", own.attname as "column",
        keys.confrelid::regclass::text as target, other.attname as target_column
      from pg_constraint as keys
        cross join unnest(keys.conkey, keys.confkey) with ordinality as pair (own, other, position)
        join pg_attribute as own on own.attrelid = keys.conrelid and own.attnum = pair.own
        join pg_attribute as other on other.attrelid = keys.confrelid and other.attnum = pair.other
      where keys.contype = 'f' and keys.connamespace = current_schema()::regnamespace
      order by 1, 2, pair.position`.execute(database);
    return groupKeys(rows);
  },
  // PostgreSQL has its own tool, pg_amcheck, which needs a superuser.
  findCorruption: async () => [],
};
