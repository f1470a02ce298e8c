import { sql } from "kysely";
import type { AuditEvent, Cause } from "../../domain/model/audit.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { type EntryRow, insertEntries, selectEntry, toEntryRow, valuesOf } from "./rows.ts";

const insertOne = prepared((database, ...values: EntryRow[keyof EntryRow][]) => ({
  compile: () => insertEntries(selectEntry((_, place) => values[place])).compile(database),
}));

const insertListed = prepared((database, entries: string) => ({
  compile: () =>
    insertEntries(
      sql`${selectEntry((column) => sql`value ->> ${sql.lit(column)}`)} from ${engineOf(database).rowsOf(entries)}`,
    ).compile(database),
}));

/** Adds the entries of a write to the audit log, in the write's transaction. */
export async function recordEvents(database: Database, events: readonly AuditEvent[], cause: Cause): Promise<void> {
  const rows = events.map((event) => toEntryRow(event, cause));
  const [row] = rows;
  if (row === undefined) return;
  // Reading one entry from JSON takes the database longer than its values do, and hundreds of values hold the event loop.
  if (rows.length === 1) await insertOne(database, ...valuesOf(row));
  else await insertListed(database, JSON.stringify(rows));
}
