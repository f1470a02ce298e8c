import { sql } from "kysely";
import { type Engine, engineOf } from "../engine/engine.ts";
import { insertRows } from "../engine/insert-rows.ts";
import type { Database } from "../engine/schema.ts";

/** Rows of any table. */
export type Rows = Record<string, unknown>[];

/** A table whose rows belong to a report or a version: they are deleted with it, and restored with it. */
interface Belonging {
  table: string;
  /** The column with the ID of the report. Without it, rows belong to versions only. */
  itemColumn?: string;
  /** The column with the code of the version. Where it is null, or without it, rows belong to reports only. */
  versionColumn?: string;
  /** The tables that columns refer to. A row is not restored if what it refers to was deleted meanwhile. */
  needs: Readonly<Record<string, string>>;
}

/** Capabilities add a line for each of their tables. */
const BELONGINGS: readonly Belonging[] = [
  { table: "item_tags", itemColumn: "item_id", needs: { tag_id: "tags" } },
  { table: "shared_people", itemColumn: "item_id", versionColumn: "code", needs: { sharer_id: "users" } },
  { table: "access_requests", itemColumn: "item_id", needs: { user_id: "users" } },
];

/** Whole reports with all their versions, or versions of reports that stay. */
interface Owners {
  itemIds: readonly number[];
  codes: readonly string[];
}

/** Returns how to find the rows of these owners; undefined if a table keeps none for them. */
function keysOf({ itemColumn, versionColumn }: Belonging, { itemIds, codes }: Owners) {
  if (itemColumn !== undefined && itemIds.length > 0) {
    const isAmong = (engine: Engine) => engine.isOneOfNumbers(sql.ref(itemColumn), itemIds);
    return { column: itemColumn, keys: itemIds, isAmong };
  }
  if (versionColumn === undefined) return undefined;
  const list = JSON.stringify(codes);
  const isAmong = (engine: Engine) => engine.isInTextList(sql.ref(versionColumn), list);
  return { column: versionColumn, keys: codes, isAmong };
}

/** Rows per statement, which keeps the number of parameters within the engines' limits. */
const ROWS_AT_ONCE = 500;

/** Reads the rows that belong to reports or versions, by table. */
export async function readBelongings(database: Database, owners: Owners): Promise<Record<string, Rows>> {
  const found: Record<string, Rows> = {};
  for (const belonging of BELONGINGS) {
    const keys = keysOf(belonging, owners);
    if (keys === undefined) continue;
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(belonging.table)}
      where ${keys.isAmong(engineOf(database))}`.execute(database);
    found[belonging.table] = rows;
  }
  return found;
}

/** Returns those of the rows that belong to one report or version. */
export const belongingsOf = (found: Readonly<Record<string, Rows>>, owners: Owners): Record<string, Rows> =>
  Object.fromEntries(
    BELONGINGS.map((belonging) => {
      const { column, keys } = keysOf(belonging, owners) ?? { column: "", keys: [] };
      const known = new Set<unknown>(keys);
      return [belonging.table, (found[belonging.table] ?? []).filter((row) => known.has(row[column]))];
    }),
  );

/** Deletes the rows that belong to reports or versions. */
export async function removeBelongings(database: Database, owners: Owners): Promise<void> {
  for (const belonging of BELONGINGS) {
    const keys = keysOf(belonging, owners);
    if (keys === undefined) continue;
    await sql`delete from ${sql.table(belonging.table)}
      where ${keys.isAmong(engineOf(database))}`.execute(database);
  }
}

/** Inserts rows again, except those that refer to something that no longer exists. */
export async function restoreBelongings(database: Database, saved: Readonly<Record<string, Rows>>): Promise<void> {
  for (const { table, needs } of BELONGINGS) {
    let rows = saved[table] ?? [];
    for (const [column, target] of Object.entries(needs)) {
      const ids = rows.flatMap((row) => (typeof row[column] === "string" ? [row[column]] : []));
      const existing = await findExisting(database, target, ids);
      rows = rows.filter((row) => row[column] === null || existing.has(String(row[column])));
    }
    await inChunks(rows, (chunk) => insertRows(database, table, chunk));
  }
}

/** Returns those of the IDs that a table has. */
export async function findExisting(
  database: Database,
  table: string,
  ids: readonly (string | null)[],
): Promise<ReadonlySet<string>> {
  const known = ids.filter((id) => id !== null);
  if (known.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${engineOf(database).isOneOfTexts(sql.ref("id"), known)}`.execute(database);
  return new Set(rows.map(({ id }) => id));
}

/** Passes rows on in parts that fit into one statement. */
export async function inChunks<Row>(
  rows: readonly Row[],
  use: (chunk: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) await use(rows.slice(start, start + ROWS_AT_ONCE));
}
