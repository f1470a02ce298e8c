import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { AuditFilter, AuditPage, AuditPlace, SignInFailure } from "../../domain/audit/ports.ts";
import type { AuditEntry, AuditEvent } from "../../domain/model/audit.ts";
import type { Instant } from "../../domain/model/entities.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import type { Recorder } from "../model/records.ts";
import type { EntryRow } from "./rows.ts";

/** Entries that one call looks at if it looks for particular ones. */
const SCANNED = 20_000;

interface EntriesRequest {
  workspaceId: string | undefined;
  filter: AuditFilter;
  after: AuditPlace | undefined;
  limit: number;
}

interface StoredEntry extends EntryRow {
  id: number;
}

/** Returns a page of entries, newest first. Walks an index from the place on, and stops after `SCANNED` entries. */
export async function listEntries(database: Database, _: Engine, request: EntriesRequest): Promise<AuditPage> {
  const { filter, limit } = request;
  const matching = matches(filter);
  const scanned = matching === undefined ? limit : SCANNED;
  const { rows } = await sql<StoredEntry>`
    select * from (${selectInOrder(request)} limit ${sql.lit(scanned)}) as scanned
    where ${matching ?? sql`1 = 1`} order by at desc, id desc limit ${sql.lit(limit)}`.execute(database);
  const entries = rows.map(toEntry);
  const last = rows.at(-1);
  if (last !== undefined && rows.length === limit) return { entries, next: { at: last.at, id: last.id } };
  const { rows: ends } = await sql<AuditPlace>`
    select at, id from (${selectInOrder(request)} limit 1 offset ${sql.lit(scanned - 1)}) as ends`.execute(database);
  return { entries, next: ends[0] };
}

function selectInOrder({ workspaceId, filter: { since, until }, after }: EntriesRequest): RawBuilder<unknown> {
  const conditions = [
    ...(workspaceId === undefined ? [] : [sql`workspace_id = ${workspaceId}`]),
    ...(since === undefined ? [] : [sql`at >= ${since}`]),
    ...(until === undefined ? [] : [sql`at < ${until}`]),
    ...(after === undefined ? [] : [sql`(at, id) < (${after.at}, ${after.id})`]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  return sql`select * from audit_entries ${where} order by at desc, id desc`;
}

/** Returns the condition that an entry is one of those that a reader looks for; undefined if they look for all. */
function matches({ workspace, actor, action, item }: AuditFilter): RawBuilder<SqlBool> | undefined {
  const conditions = [
    ...(workspace === undefined ? [] : [sql`workspace = ${workspace}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(action === undefined
      ? []
      : [sql`(action = ${action} or substr(action, 1, ${sql.lit(action.length + 1)}) = ${`${action}.`})`]),
    ...(item === undefined ? [] : [sql`(subject = ${item} or code = ${item})`]),
  ];
  return conditions.length === 0 ? undefined : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

const toEntry = (row: StoredEntry): AuditEntry => ({
  at: row.at,
  action: row.action,
  workspaceId: row.workspace_id,
  workspace: row.workspace,
  actorId: row.actor_id,
  actor: row.actor,
  credential: { kind: row.credential, id: row.credential_id, name: row.credential_name },
  requestId: row.request_id,
  address: row.address,
  subject: row.subject,
  subjectId: row.subject_id,
  code: row.code,
  title: row.title,
  details: JSON.parse(row.details),
});

/** Returns the failure to record, whose recorder adds it; undefined for unknown accounts and after too many. */
export async function addSignInFailure(
  database: Database,
  { email, most, since }: SignInFailure,
): Promise<AuditEvent | undefined> {
  const account = await database
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["users.id as userId", "workspaces.id as workspaceId", "workspaces.slug"])
    .where("users.email", "=", email)
    .where("workspaces.kind", "=", "user")
    .executeTakeFirst();
  if (account === undefined) return undefined;
  const { count } = await database
    .selectFrom("audit_entries")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("workspace_id", "=", account.workspaceId)
    .where("at", ">=", since)
    .where("action", "=", "session.fail")
    .executeTakeFirstOrThrow();
  if (count >= most) return undefined;
  const { userId, workspaceId, slug } = account;
  return { action: "session.fail", workspaceId, subject: slug, subjectId: userId };
}

export const recordSignInFailure: Recorder<SignInFailure, AuditEvent | undefined> = () => (event) =>
  event === undefined ? [] : [event];

/** Moves the horizon, which the database's triggers respect, and deletes entries from before it, oldest first. */
export async function removeExpired(
  database: Database,
  { before, limit }: { before: Instant; limit: number },
): Promise<number> {
  await database
    .insertInto("audit_horizon")
    .values({ number: 1, deletable_before: before })
    .onConflict((known) => known.column("number").doUpdateSet({ deletable_before: before }))
    .execute();
  const removed = await database
    .deleteFrom("audit_entries")
    .where("id", "in", (query) =>
      query.selectFrom("audit_entries").select("id").where("at", "<", before).orderBy("at").orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(removed.numDeletedRows);
}
