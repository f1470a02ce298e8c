import { sql } from "kysely";
import type { AuditEvent, Cause } from "../../domain/model/audit.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { type EntryRow, insertEntries, selectEntry, toEntryRow, valuesOf } from "./rows.ts";

/** Entries of one statement, whose length and parameters are limited. */
const BATCH = 100;

const insertOne = prepared((database, ...values: EntryRow[keyof EntryRow][]) => ({
  compile: () => insertEntries(selectEntry((_, place) => values[place])).compile(database),
}));

/** Adds the entries of a write to the audit log, in the write's transaction. */
export async function recordEvents(database: Database, events: readonly AuditEvent[], cause: Cause): Promise<void> {
  const rows = events.map((event) => toEntryRow(event, cause));
  const [row] = rows;
  if (row !== undefined && rows.length === 1) {
    await insertOne(database, ...valuesOf(row));
    return;
  }
  for (let start = 0; start < rows.length; start += BATCH) {
    const entries = rows.slice(start, start + BATCH).map((one) => selectEntry((column) => one[column]));
    await insertEntries(sql`${sql.join(entries, sql` union all `)}`).execute(database);
  }
}
