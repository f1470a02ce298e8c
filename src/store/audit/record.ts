import { sql } from "kysely";
import type { AuditEvent, Cause } from "../../domain/model/audit.ts";
import { engineOf } from "../engine/engine.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { insertEntries, selectEntry, toEntryRow } from "./rows.ts";

const insertListed = prepared((database, entries: string) => ({
  compile: () =>
    insertEntries(
      sql`${selectEntry((column) => sql`value ->> ${sql.lit(column)}`)} from ${engineOf(database).rowsOf(entries)}`,
    ).compile(database),
}));

/** Adds the entries of a write to the audit log, in the write's transaction. */
export async function recordEvents(database: Database, events: readonly AuditEvent[], cause: Cause): Promise<void> {
  if (events.length === 0) return;
  await insertListed(database, JSON.stringify(events.map((event) => toEntryRow(event, cause))));
}
