import { type Expression, type RawBuilder, sql } from "kysely";
import type { AuditEvent, Cause } from "../../domain/model/audit.ts";
import type { Instant } from "../../domain/model/entities.ts";

/** An entry in the form in which the database takes it. */
export interface EntryRow {
  at: Instant;
  action: string;
  /** Null for what concerns no workspace. Not a reference, because entries outlive workspaces. */
  workspace_id: string | null;
  workspace: string | null;
  actor_id: string | null;
  actor: string | null;
  credential: string;
  credential_id: string | null;
  credential_name: string | null;
  request_id: string | null;
  address: string | null;
  subject: string | null;
  subject_id: string | null;
  code: string | null;
  title: string | null;
  /** JSON: what else the action says. */
  details: string;
}

/** The columns of an entry in the order in which statements take them. */
const ENTRY_COLUMNS: readonly (keyof EntryRow)[] = [
  "at",
  "action",
  "workspace_id",
  "workspace",
  "actor_id",
  "actor",
  "credential",
  "credential_id",
  "credential_name",
  "request_id",
  "address",
  "subject",
  "subject_id",
  "code",
  "title",
  "details",
];

/** Returns who caused a write in the form in which the database takes it. */
const causeColumns = ({ at, actor, credential, requestId, address }: Cause) => ({
  at,
  actor_id: actor?.id ?? null,
  actor: actor?.slug ?? null,
  credential: credential.kind,
  credential_id: credential.id,
  credential_name: credential.name,
  request_id: requestId,
  address,
});

/** Returns an event in the form in which the database takes it. */
export function toEntryRow(event: AuditEvent, cause: Cause): EntryRow {
  const columns = causeColumns(cause);
  const { subjectId = null } = event;
  return {
    ...columns,
    actor_id: columns.actor_id ?? event.actorId ?? null,
    action: event.action,
    workspace_id: event.workspaceId,
    workspace: event.workspace ?? null,
    subject: event.subject,
    subject_id: subjectId === null ? null : String(subjectId),
    code: event.code ?? null,
    title: event.title ?? null,
    details: JSON.stringify(event.details ?? {}),
  };
}

/** Returns the values of an entry in the order of a statement's parameters. */
export const valuesOf = (row: EntryRow) => ENTRY_COLUMNS.map((column) => row[column]);

/** Selects an entry by its values, or by the expressions by which a statement finds them. */
export const selectEntry = (given: (column: keyof EntryRow, place: number) => unknown): RawBuilder<EntryRow> =>
  sql`select ${sql.join(
    ENTRY_COLUMNS.map((column, place) => {
      const type = sql.raw(column === "at" ? "bigint" : "text");
      return sql`cast(${given(column, place)} as ${type}) as ${sql.ref(column)}`;
    }),
  )}`;

/** The labels that the workspace, the user and the token of an entry have now. */
const LABELS: Readonly<Record<string, Expression<string | null>>> = {
  workspace: sql`coalesce(entry.workspace, (select slug from workspaces where id = entry.workspace_id))`,
  actor: sql`coalesce(entry.actor, (select workspaces.slug from memberships
    join workspaces on workspaces.id = memberships.workspace_id and workspaces.kind = 'user'
    where memberships.user_id = entry.actor_id))`,
  credential_name: sql`coalesce(entry.credential_name, (select name from tokens where id = entry.credential_id))`,
};

/** Returns the statement that adds the selected entries. */
export const insertEntries = (entries: RawBuilder<EntryRow>): RawBuilder<unknown> =>
  sql`insert into audit_entries (${sql.join(ENTRY_COLUMNS.map((column) => sql.ref(column)))})
    select ${sql.join(ENTRY_COLUMNS.map((column) => LABELS[column] ?? sql.ref(`entry.${column}`)))} from (${entries}) as entry`;
