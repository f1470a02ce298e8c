import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../schema.ts";

/** A value as both engines return it. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

/** Rows that can be read in the order of a key, starting after any of them. */
export interface Keyed {
  from: RawBuilder<unknown>;
  /** Column names, optionally qualified with a table. */
  columns: readonly string[];
  /** The columns of the key, a subset of `columns`. */
  key: readonly string[];
}

export interface Batch {
  rows: readonly Row[];
  /** The key of the last row, or undefined if no rows follow. */
  last: readonly Value[] | undefined;
}

const BATCH = 500;
const MODULUS = 1n << 256n;

/** Returns the next rows after a key, at most `BATCH`. The engines order text differently. */
export async function readBatch(
  database: Database,
  { from, columns, key }: Keyed,
  after: readonly Value[] | undefined,
): Promise<Batch> {
  const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));
  const beyond = after === undefined ? sql`` : sql`where (${refs(key)}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${refs(columns)} from ${from} ${beyond} order by ${refs(key)} limit ${sql.lit(BATCH)}`.execute(database);
  const end = rows.length < BATCH ? undefined : rows.at(-1);
  return { rows, last: end && key.map((name) => end[bare(name)] ?? null) };
}

const bare = (name: string) => name.slice(name.lastIndexOf(".") + 1);

export async function* readBatches(database: Database, keyed: Keyed): AsyncGenerator<readonly Row[]> {
  for (let after: readonly Value[] | undefined; ; ) {
    const { rows, last } = await readBatch(database, keyed, after);
    yield rows;
    if (last === undefined) return;
    after = last;
  }
}

export async function insertRows(
  database: Database,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)}`.execute(database);
}

/** The number of rows and a checksum of their values. */
export interface Digest {
  rows: number;
  /** The sum of the rows' SHA-256 in hexadecimal, which doesn't depend on their order. */
  sum: string;
}

export async function digestRows(batches: AsyncIterable<readonly Row[]>, columns: readonly string[]): Promise<Digest> {
  let rows = 0;
  let sum = 0n;
  for await (const batch of batches) {
    for (const row of batch) sum += numberOf(JSON.stringify(columns.map((column) => row[column])));
    rows += batch.length;
    sum %= MODULUS;
  }
  return { rows, sum: sum.toString(16) };
}

const numberOf = (text: string) => BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
