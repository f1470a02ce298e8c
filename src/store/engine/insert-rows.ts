import { type RawBuilder, sql } from "kysely";
import { engineOf } from "./engine.ts";
import type { Database } from "./schema.ts";

/**
 * Adds rows, all of which have the columns of the first. Passes them as one JSON parameter: building and binding a statement
 * with thousands of parameters holds the event loop.
 */
export async function insertRows(
  database: Database,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  await insertionOf(database, { table, columns, list: JSON.stringify(rows) }).execute(database);
}

interface Insertion {
  table: string;
  columns: readonly string[];
  /** The rows, as JSON. */
  list: string;
  /** What happens to rows that are there. */
  onConflict?: RawBuilder<unknown>;
}

/** Returns the statement that adds rows, which can be prepared with the list as its input. */
export function insertionOf(
  database: Database,
  { table, columns, list, onConflict = sql`` }: Insertion,
): RawBuilder<unknown> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = sql.join(columns.map((column) => sql`value ->> ${sql.lit(column)}`));
  const engine = engineOf(database);
  const source =
    engine.name === "postgres"
      ? sql`select ${names} from json_populate_recordset(null::${sql.table(table)}, ${list}::json)`
      : sql`select ${values} from ${engine.rowsOf(list)} where true`;
  return sql`insert into ${sql.table(table)} (${names}) ${source} ${onConflict}`;
}
