import { PostgresAdapter, type RawBuilder, sql } from "kysely";
import type { Database } from "./schema.ts";

/**
 * Returns the database's own time in milliseconds, for what replicas with different clocks compare. In a transaction it
 * goes on, unlike `now()`.
 */
export function databaseNow(database: Database): RawBuilder<number> {
  return database.getExecutor().adapter instanceof PostgresAdapter
    ? sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}
