import {
  type ColumnDefinitionBuilder,
  type Expression,
  type Kysely,
  type QueryExecutorProvider,
  type RawBuilder,
  type SqlBool,
  sql,
} from "kysely";
import { Failure, storageFull, unavailable } from "../../domain/model/failure.ts";

/** All that differs between the two databases, as far as queries and migrations can tell. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Makes a column an ever-growing integer key. */
  identity(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder;
  /** Type of a column that is sorted by its letters' numbers, which both engines sort alike. */
  readonly sortedText: "text" | RawBuilder<unknown>;
  /** Whether looking up grams gives the first rows at once, and not when all have been found. */
  readonly streamsGrams: boolean;
  /** Makes a table `(rowid, grams)`, grams being whole numbers with spaces between, that can be looked up by them. */
  createGramTable(database: Kysely<unknown>, name: string): Promise<void>;
  /** Whether a folded text has a folded word in it. */
  contains(text: Expression<string | null>, word: string): Expression<SqlBool>;
  /** Whether a row of a table of grams has all of these. */
  hasGrams(table: "item_grams" | "code_grams", grams: readonly number[]): Expression<SqlBool>;
  /** A column in a comparison for which no index shall be used. */
  plain(column: Expression<string>): Expression<string>;
  /** Whether a key is one of those that a query gives, which is run once. */
  isOneOf(key: Expression<number>, keys: Expression<{ id: number }>): Expression<SqlBool>;
  /** Whether a key is one of any number of keys, which are one parameter. */
  isOneOfNumbers(key: Expression<number>, keys: readonly number[]): Expression<SqlBool>;
  /** The same of keys written as `numberList` does, which may be the parameter of a prepared query. */
  isInNumberList(key: Expression<number>, list: string): Expression<SqlBool>;
  numberList(keys: readonly number[]): string;
  isOneOfTexts(key: Expression<string | null>, keys: readonly string[]): Expression<SqlBool>;
  hasTable(database: QueryExecutorProvider, name: string): Promise<boolean>;
  /** Begins a transaction that no other writer's can interleave with, for migrations. */
  beginExclusive(connection: Kysely<unknown>): Promise<void>;
}

/** Any number would do; it must only be the same for all copies. */
const MIGRATION_LOCK = 7_140_022;

export const sqliteEngine: Engine = {
  name: "sqlite",
  // AUTOINCREMENT: an id that was deleted must not come to mean another item.
  identity: (column) => column.primaryKey().autoIncrement(),
  sortedText: "text",
  streamsGrams: true,
  // An index and nothing else: no text is kept in it, and not where in the text something was.
  createGramTable: async (database, name) => {
    await sql`create virtual table ${sql.table(name)} using fts5 (
      grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii')`.execute(database);
  },
  contains: (text, word) => sql`instr(${text}, ${word}) > 0`,
  // Numbers with nothing between them have all to be there.
  hasGrams: (table, grams) => sql`${sql.ref(table)} match ${grams.join(" ")}`,
  plain: (column) => sql`+${column}`,
  isOneOf: (key, keys) => sql`${key} in (${keys})`,
  isOneOfNumbers: (key, keys) => sqliteEngine.isInNumberList(key, sqliteEngine.numberList(keys)),
  isInNumberList: (key, list) => sql`${key} in (select value from json_each(${list}))`,
  numberList: (keys) => JSON.stringify(keys),
  isOneOfTexts: (key, keys) => sql`${key} in (select value from json_each(${JSON.stringify(keys)}))`,
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
  plain: (column) => sql`(${column} || '')`,
  // As an array, because then the keys are looked up, whatever the planner thinks how many there are.
  isOneOf: (key, keys) => sql`${key} = any(array(${keys}))`,
  isOneOfNumbers: (key, keys) => postgresEngine.isInNumberList(key, postgresEngine.numberList(keys)),
  isInNumberList: (key, list) => sql`${key} = any(${list}::bigint[])`,
  numberList: (keys) => `{${keys.join(",")}}`,
  isOneOfTexts: (key, keys) => sql`${key} = any(${[...keys]}::text[])`,
  hasTable: async (database, name) =>
    (await sql`select 1 where to_regclass(${name}) is not null`.execute(database)).rows.length > 0,
  beginExclusive: async (connection) => {
    await sql`begin`.execute(connection);
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(connection);
  },
};

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";

export const isUniqueViolation = (error: unknown) =>
  ["23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(codeOf(error));

/**
 * Serialization failure, deadlock, or a row that was looked up and then deleted before another could point to it: the
 * same transaction, run again, succeeds or says what is missing.
 */
export const isWorthRepeating = (error: unknown) => ["40001", "40P01", "23503"].includes(codeOf(error));

/**
 * SQLSTATE classes 08 (connection), 53 (resources) and 57 (operator intervention), 25P03 and 25P04 (a transaction ended
 * because it took too long), and the sockets' own errors.
 */
const UNREACHABLE =
  /^(08|53|57|25P0[34])|^(ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND)$|^SQLITE_(BUSY|IOERR)/;

/** Turns an engine's error into a failure that a caller may be told; others stay what they are. */
export function translateError(error: unknown): unknown {
  if (error instanceof Failure) return error;
  const code = codeOf(error);
  if (["53100", "SQLITE_FULL", "SQLITE_IOERR_SHMSIZE"].includes(code)) return storageFull(error);
  if (hasLostDatabase(error)) {
    return unavailable("The database can't be reached right now. Try again in a few seconds.", { cause: error });
  }
  return error;
}

/** Whether it stays open what has become of a statement. */
export const hasLostDatabase = (error: unknown): boolean => UNREACHABLE.test(codeOf(error)) || isLostConnection(error);

/** An SQLSTATE has a digit, unlike the codes of sockets that are as long; SQLite's codes have a prefix. */
const CODE_OF_DATABASE = /^(?=.*\d)[0-9A-Z]{5}$|^SQLITE_/;

/** Whether a statement, and the transaction it was part of, has certainly changed nothing: the database itself said so. */
export function isDefinite(error: unknown): boolean {
  if (error instanceof Failure) return error.kind !== "Unavailable";
  return CODE_OF_DATABASE.test(codeOf(error)) && !hasLostDatabase(error);
}

const isLostConnection = (error: unknown) =>
  error instanceof Error &&
  /connection terminated|timeout exceeded when trying to connect|query read timeout|is not queryable/i.test(
    error.message,
  );
