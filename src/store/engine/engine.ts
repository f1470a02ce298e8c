import {
  type ColumnDefinitionBuilder,
  type Expression,
  type Kysely,
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { conflict, Failure, storageFull, unavailable } from "../../domain/model/failure.ts";

/** The differences between the two databases that matter to queries and migrations. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Turns a column into an integer key that only grows. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** The type of text columns that both engines sort alike, by code point. */
  readonly sortedText: "text" | RawBuilder<unknown>;
  /** Whether a lookup of grams returns its first rows before it has found all. */
  readonly streamsGrams: boolean;
  /** Creates an indexed table `(rowid, grams)`. `grams` are integers separated by spaces. */
  createGramTable(database: Kysely<unknown>, name: string): Promise<void>;
  /** Returns the condition that a folded text contains a folded word. */
  contains(text: Expression<string | null>, word: string): Expression<SqlBool>;
  /** Returns the condition that a row of a table of grams has all of these grams. */
  hasGrams(table: "item_grams" | "code_grams", grams: readonly number[]): Expression<SqlBool>;
  /** Returns a column in a form that keeps the database from using an index on it. */
  withoutIndex(column: Expression<string>): Expression<string>;
  /** Returns the condition that a key is in the result of a query, which runs only once. */
  isOneOf(key: Expression<number>, keys: Expression<{ id: number }>): Expression<SqlBool>;
  /** Returns the condition that a key is in a list of any length, which is passed as one parameter. */
  isOneOfNumbers(key: Expression<number>, keys: readonly number[]): Expression<SqlBool>;
  /** Returns the condition that a key is in a list made by `numberList`, which can be an input of a prepared query. */
  isInNumberList(key: Expression<number>, list: string): Expression<SqlBool>;
  numberList(keys: readonly number[]): string;
  /** Returns the condition that a key is in a list of any length, which is passed as one parameter. */
  isOneOfTexts(key: Expression<string | null>, keys: readonly string[]): Expression<SqlBool>;
  /** Returns the condition that a key is in a list, passed as JSON, which can be an input of a prepared query. */
  isInTextList(key: Expression<string | null>, list: string): Expression<SqlBool>;
  /** Returns a source of rows, in the order of a list passed as JSON. Their column `value` has an element of the list. */
  rowsOf(list: string | Expression<string>): RawBuilder<{ value: unknown }>;
  hasTable(database: QueryExecutorProvider, name: string): Promise<boolean>;
  /** Begins a transaction that excludes concurrent migrations. */
  beginExclusive(connection: Kysely<unknown>): Promise<void>;
}

/** An arbitrary number, the same in all replicas. */
const MIGRATION_LOCK = 7_140_022;

export const sqliteEngine: Engine = {
  name: "sqlite",
  // AUTOINCREMENT, because the id of a deleted item must never be reused.
  identity: (column) => column.primaryKey().autoIncrement(),
  sortedText: "text",
  streamsGrams: true,
  // Stores only the index, without the text and without positions in it.
  createGramTable: async (database, name) => {
    await sql`create virtual table ${sql.table(name)} using fts5 (
      grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(database);
  },
  contains: (text, word) => sql`instr(${text}, ${word}) > 0`,
  // FTS5 combines terms separated by spaces with AND.
  hasGrams: (table, grams) => sql`${sql.ref(table)} match ${grams.join(" ")}`,
  withoutIndex: (column) => sql`+${column}`,
  isOneOf: (key, keys) => sql`${key} in (${keys})`,
  isOneOfNumbers: (key, keys) => sqliteEngine.isInNumberList(key, sqliteEngine.numberList(keys)),
  isInNumberList: (key, list) => sql`${key} in (select value from json_each(${list}))`,
  numberList: (keys) => JSON.stringify(keys),
  isOneOfTexts: (key, keys) => sqliteEngine.isInTextList(key, JSON.stringify(keys)),
  isInTextList: (key, list) => sql`${key} in (select value from json_each(${list}))`,
  rowsOf: (list) => sql`json_each(${list})`,
  hasTable: async (database, name) =>
    (await sql`select 1 from sqlite_master where name = ${name}`.execute(database)).rows.length > 0,
  beginExclusive: async (connection) => {
    await sql`begin immediate`.execute(connection);
  },
};

export const postgresEngine: Engine = {
  name: "postgres",
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  sortedText: sql`text collate "C"`,
  streamsGrams: false,
  createGramTable: async (database, name) => {
    await sql`create table ${sql.table(name)} (rowid bigint primary key, grams text not null)`.execute(database);
    await sql`create index ${sql.ref(`${name}_by_gram`)} on ${sql.table(name)}
      using gin ((string_to_array(grams, ' ')::integer[])) with (fastupdate = off)`.execute(database);
  },
  contains: (text, word) => sql`strpos(${text}, ${word}) > 0`,
  hasGrams: (table, grams) =>
    sql`string_to_array(${sql.ref(`${table}.grams`)}, ' ')::integer[] @> ${`{${grams.join(",")}}`}::integer[]`,
  withoutIndex: (column) => sql`(${column} || '')`,
  // An array makes PostgreSQL look up each key, however many keys the planner expects.
  isOneOf: (key, keys) => sql`${key} = any(array(${keys}))`,
  isOneOfNumbers: (key, keys) => postgresEngine.isInNumberList(key, postgresEngine.numberList(keys)),
  isInNumberList: (key, list) => sql`${key} = any(${list}::bigint[])`,
  numberList: (keys) => `{${keys.join(",")}}`,
  isOneOfTexts: (key, keys) => sql`${key} = any(${[...keys]}::text[])`,
  isInTextList: (key, list) => sql`${key} = any(array(select json_array_elements_text(${list}::json)))`,
  rowsOf: (list) => sql`json_array_elements(${list}::json)`,
  hasTable: async (database, name) =>
    (await sql`select 1 where to_regclass(${name}) is not null`.execute(database)).rows.length > 0,
  beginExclusive: async (connection) => {
    await sql`begin`.execute(connection);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(connection);
  },
};

/** Returns the engine of a database, for code that isn't told. */
export const engineOf = (database: QueryExecutorProvider): Engine =>
  database.getExecutor().adapter instanceof PostgresAdapter ? postgresEngine : sqliteEngine;

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

export const isUniqueViolation = (error: unknown) =>
  ["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(codeOf(error));

/**
 * Returns whether a retry of the transaction can succeed: after a serialization failure, a deadlock, or the deletion of
 * a row that the transaction had found and then referenced.
 */
export const isRetryable = (error: unknown) => ["40001", "40P01", "23503"].includes(codeOf(error));

/**
 * Matches SQLSTATE classes 08 (connection), 53 (resources) and 57 (operator intervention), 25P03 and 25P04 (transaction
 * timeouts), socket errors, and SQLite's BUSY and IOERR.
 */
const UNREACHABLE =
  /^(08|53|57|25P0[34])|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$|^SQLITE_(BUSY|IOERR)/;

/** Returns a failure for an engine's error that callers can handle, and any other error unchanged. */
export function translateError(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (["53100", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"].includes(code)) return storageFull(error);
  if (["23503", "SQLITE_CONSTRAINT_FOREIGNKEY"].includes(code)) {
    return conflict("Something that this request refers to was deleted at the same time. Check it and try again.");
  }
  if (hasLostDatabase(error)) {
    return unavailable("The database can't be reached right now. Try again in a few seconds.", { cause: error });
  }
  return error;
}

/** Returns whether an error leaves the outcome of a statement unknown. */
export const hasLostDatabase = (error: unknown): boolean => UNREACHABLE.test(codeOf(error)) || isLostConnection(error);

/** Matches SQLSTATEs, which contain a digit, unlike socket codes such as EPIPE, and SQLite's codes. */
const CODE_OF_DATABASE = /^(?=.*\d)[0-9A-Z]{5}$|^SQLITE_/;

/** Returns whether the database reported that a statement failed, so that its transaction certainly changed no data. */
export function isDefinite(error: unknown): boolean {
  if (error instanceof Failure) return error.kind !== "Unavailable";
  return CODE_OF_DATABASE.test(codeOf(error)) && !hasLostDatabase(error);
}

const isLostConnection = (error: unknown) =>
  error instanceof Error &&
  /connection terminated|timeout exceeded when trying to connect|query read timeout|is not queryable/i.test(
    error.message,
  );
