import { sql } from "kysely";
import { type Instant, SCOPES } from "../../domain/model/entities.ts";
import type {
  KnownSession,
  ListedSession,
  SessionStanding,
  SessionVersion,
  StandingSubject,
} from "../../domain/people/ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { sharingColumns, toSharing, verifiedEmail } from "../model/personal.ts";
import { shownTitle, storageMode } from "../model/rows.ts";
import { MEMBERSHIP_COLUMNS, toMembership } from "./memberships.ts";

const selectSessions = (database: Database) =>
  database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .innerJoin("memberships", "memberships.user_id", "sessions.user_id")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([
      "sessions.id as session_id",
      "sessions.ref",
      "sessions.user_id",
      "sessions.expires_at",
      "sessions.authenticated_at",
      "users.email",
      "users.name",
      "users.is_operator",
      verifiedEmail.as("verified_email"),
      ...MEMBERSHIP_COLUMNS,
    ])
    .where("users.disabled_at", "is", null)
    .orderBy("workspaces.slug");

const selectByToken = prepared((database, token: string, now: Instant) =>
  selectSessions(database).where("sessions.token", "=", token).where("sessions.expires_at", ">", now),
);

const selectByRef = prepared((database, ref: string, now: Instant) =>
  selectSessions(database).where("sessions.ref", "=", ref).where("sessions.expires_at", ">", now),
);

export const findSession = async (database: Database, token: string, now: Instant): Promise<KnownSession | undefined> =>
  toSession(await selectByToken(database, token, now));

export const findSessionByRef = async (
  database: Database,
  ref: string,
  now: Instant,
): Promise<KnownSession | undefined> => toSession(await selectByRef(database, ref, now));

/** Returns the session from its rows, one for each membership of the user. */
function toSession(rows: Awaited<ReturnType<typeof selectByToken>>): KnownSession | undefined {
  const memberships = rows.map(toMembership);
  const [session] = rows;
  const workspace = memberships.find(({ kind }) => kind === "user");
  if (session === undefined || workspace === undefined) return undefined;
  return {
    id: session.session_id,
    ref: session.ref,
    expiresAt: session.expires_at,
    authenticatedAt: session.authenticated_at,
    user: { email: session.email, name: session.name ?? workspace.slug },
    caller: {
      userId: session.user_id,
      verifiedEmail: session.verified_email,
      workspace,
      memberships,
      scopes: new Set(SCOPES),
      credentialId: session.session_id,
      isOperator: session.is_operator === 1,
    },
  };
}

/** The user of the session that a query joins. */
const OF_SESSION = { userId: sql<string>`sessions.user_id`, email: verifiedEmail };

/** Selects with a single query, because it runs for every file of a private report. */
const selectSessionVersion = prepared((database, code: string, ref: string, now: Instant) =>
  database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .innerJoin("sessions", (join) => join.onTrue())
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "items.workspace_id")
        .onRef("memberships.user_id", "=", "sessions.user_id"),
    )
    .select([
      "sessions.user_id as userId",
      "sessions.expires_at as sessionExpiresAt",
      "memberships.role",
      "items.creator_id as itemCreatorId",
      "versions.creator_id as versionCreatorId",
      "versions.visibility",
      shownTitle.as("title"),
      storageMode,
      "versions.version_no as versionNo",
      "versions.created_at as createdAt",
      "workspaces.slug as ownerSlug",
      "workspaces.display_name as ownerName",
      ...sharingColumns(OF_SESSION),
    ])
    .where("versions.code", "=", code)
    .where("sessions.ref", "=", ref)
    .where("sessions.expires_at", ">", now)
    .where("users.disabled_at", "is", null),
);

export async function findSessionVersion(
  database: Database,
  code: string,
  ref: string,
  now: Instant,
): Promise<SessionVersion | undefined> {
  const [row] = await selectSessionVersion(database, code, ref, now);
  return row && { ...row, sharing: toSharing(row) };
}

const selectStandings = (
  database: Database,
  { workspaceId, itemId, code }: StandingSubject,
  now: Instant,
  refs: readonly string[],
) =>
  database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .leftJoin("workspaces", (join) => join.on("workspaces.id", "=", workspaceId))
    .leftJoin("items", (join) => join.on("items.id", "=", itemId))
    .leftJoin("versions", (join) => join.on("versions.code", "=", code))
    .leftJoin("memberships", (join) =>
      join
        .onRef("memberships.workspace_id", "=", "workspaces.id")
        .onRef("memberships.user_id", "=", "sessions.user_id"),
    )
    .select([
      "sessions.ref",
      "sessions.user_id as userId",
      "sessions.expires_at as sessionExpiresAt",
      "memberships.role",
      ...sharingColumns(OF_SESSION),
    ])
    .where("sessions.expires_at", ">", now)
    .where("sessions.ref", "in", refs)
    .where("users.disabled_at", "is", null);

/** The numbers of sessions for which a query is prepared: 1, 2, 4 and so on, so that these are few. */
const preparedSizes = new Map<number, ReturnType<typeof prepareStandings>>();

const prepareStandings = () =>
  prepared((database, workspaceId: string, itemId: number, code: string, now: Instant, ...refs: string[]) =>
    selectStandings(database, { workspaceId, itemId, code }, now, refs),
  );

export async function findStandings(
  database: Database,
  { workspaceId, itemId, code }: StandingSubject,
  refs: readonly string[],
  now: Instant,
): Promise<SessionStanding[]> {
  if (refs.length === 0) return [];
  const size = 2 ** Math.ceil(Math.log2(refs.length));
  const select = preparedSizes.get(size) ?? prepareStandings();
  preparedSizes.set(size, select);
  // No session has an empty ref.
  const filled = [...refs, ...Array.from({ length: size - refs.length }, () => "")];
  const rows = await select(database, workspaceId, itemId, code, now, ...filled);
  return rows.map((row) => ({ ...row, sharing: toSharing(row) }));
}

/** Lists a user's unexpired sessions, newest first. */
export function listSessions(database: Database, userId: string, now: Instant): Promise<ListedSession[]> {
  return database
    .selectFrom("sessions")
    .select([
      "ref",
      "user_agent as userAgent",
      "ip_address as address",
      "created_at as createdAt",
      "expires_at as expiresAt",
    ])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Ends a session. Returns whether it existed. */
export async function endSession(
  database: Database,
  { userId, ref }: { userId: string; ref: string },
): Promise<boolean> {
  const ended = await database
    .deleteFrom("sessions")
    .where("ref", "=", ref)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return ended.numDeletedRows > 0n;
}

/** Ends all other sessions of a user and returns their number. */
export async function endOtherSessions(
  database: Database,
  { userId, ref }: { userId: string; ref: string },
): Promise<number> {
  const ended = await database
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("ref", "<>", ref)
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

/** Records that a session's user has authenticated again. Returns whether the session still exists. */
export async function confirmSession(
  database: Database,
  { id, userId, at }: { id: string; userId: string; at: Instant },
): Promise<boolean> {
  const confirmed = await database
    .updateTable("sessions")
    .set({ authenticated_at: at })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return confirmed.numUpdatedRows > 0n;
}
