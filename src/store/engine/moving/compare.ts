import { sql } from "kysely";
import { hasAllPostings } from "../postings/check.ts";
import type { Database } from "../schema.ts";
import type { Differences } from "./differences.ts";
import { type Digest, digestRows, type Row, readBatches } from "./rows.ts";
import { CODE_TEXTS, gramsOfRow, type KnownTable, rowsOf } from "./steps.ts";
import type { SearchIndex } from "./tables.ts";

/** The digests of all tables by name. */
export type Contents = Readonly<Record<string, Digest>>;

/** Returns the number of rows in all tables, to show progress. */
export async function countAll(database: Database, tables: readonly KnownTable[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(database);
    total += rows[0]?.count ?? 0;
  }
  return total;
}

/** Returns the digests of all tables. Calls `watch` with the number of rows in each batch it reads. */
export async function digestAll(
  database: Database,
  tables: readonly KnownTable[],
  watch: (rows: number) => void,
): Promise<Contents> {
  const contents: Record<string, Digest> = {};
  for (const table of tables) {
    contents[table.name] = await digestRows(counted(readBatches(database, rowsOf(table)), watch), table.columns);
  }
  return contents;
}

async function* counted(batches: AsyncIterable<readonly Row[]>, watch: (rows: number) => void) {
  for await (const rows of batches) {
    watch(rows.length);
    yield rows;
  }
}

export const countRows = (contents: Contents): number =>
  Object.values(contents).reduce((sum, { rows }) => sum + rows, 0);

/** Returns a sentence about the first table in which two databases differ, or undefined if they are equal. */
export function findDifference(source: Contents, target: Contents): string | undefined {
  for (const [name, { rows, sum }] of Object.entries(source)) {
    const other = target[name];
    if (other?.rows !== rows) return `The table ${name} has ${other?.rows ?? 0} rows in the target instead of ${rows}.`;
    if (other.sum !== sum) return `The table ${name} has different rows in the target than in the source.`;
  }
  return undefined;
}

/** Returns the first search index that doesn't match its rows, or undefined if both do. */
export async function findWrongIndex(database: Database, differences: Differences): Promise<SearchIndex | undefined> {
  if (!(await hasAllPostings(database))) return "search_postings";
  if (!(await hasAllCodes(database, differences))) return "code_grams";
  return undefined;
}

const LOW_64 = (1n << 64n) - 1n;

/** Returns whether the index of codes matches them. Compares sums, because the engines list entries in different orders. */
async function hasAllCodes(database: Database, { listGrams }: Differences): Promise<boolean> {
  let expected = 0n;
  for await (const rows of readBatches(database, CODE_TEXTS)) {
    for (const row of rows) {
      for (const gram of new Set(gramsOfRow(row).split(" ").filter(Boolean))) expected += hashOf(Number(row.id), gram);
    }
    expected &= LOW_64;
  }
  let found = 0n;
  for await (const [rowid, gram] of listGrams(database)) found = (found + hashOf(rowid, gram)) & LOW_64;
  return found === expected;
}

const hashOf = (rowid: number, gram: string): bigint => Bun.hash.xxHash64(`${rowid} ${gram}`);
