import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type {
  AdministeredUser,
  AdministeredUserDetails,
  SlugPage,
  UserState,
} from "../../domain/operations/administration-ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database, Schema } from "../engine/schema.ts";

/** Selects users with their own workspaces. Deleted users have none. */
const selectUsers = (database: Database) =>
  database
    .selectFrom("users")
    .innerJoin("memberships as own", "own.user_id", "users.id")
    .innerJoin("workspaces", "workspaces.id", "own.workspace_id")
    .select((select) => [
      "users.id",
      "workspaces.id as workspaceId",
      "workspaces.slug",
      "users.email",
      "users.name",
      "users.is_operator as isOperator",
      "users.disabled_at as disabledAt",
      "workspaces.plan",
      "workspaces.stored_bytes as storedBytes",
      "users.created_at as createdAt",
      select
        .selectFrom("sessions")
        .select(({ fn }) => fn.max("sessions.authenticated_at").as("at"))
        .whereRef("sessions.user_id", "=", "users.id")
        .as("signedInAt"),
      select
        .selectFrom("tokens")
        .select(({ fn }) => fn.max("tokens.last_used_at").as("at"))
        .whereRef("tokens.user_id", "=", "users.id")
        .as("usedTokenAt"),
    ])
    .where("workspaces.kind", "=", "user");

type UserRow = Awaited<ReturnType<ReturnType<typeof selectUsers>["executeTakeFirstOrThrow"]>>;

function toUser(row: UserRow): AdministeredUser {
  const { isOperator, signedInAt, usedTokenAt, workspaceId: _, ...user } = row;
  const seen = [signedInAt, usedTokenAt].filter((time) => time !== null);
  return { ...user, isOperator: isOperator === 1, lastSeenAt: seen.length === 0 ? null : Math.max(...seen) };
}

/** Lists users, sorted by slug. */
export async function listUsers(
  database: Database,
  engine: Engine,
  { contains, state, after, limit }: SlugPage & { state: UserState | undefined },
): Promise<AdministeredUser[]> {
  const rows = await selectUsers(database)
    .$if(contains !== undefined, (query) =>
      query.where(containing(engine, contains ?? "", ["workspaces.slug", "users.email", "users.name"])),
    )
    .$if(state === "active", (query) => query.where("users.disabled_at", "is", null))
    .$if(state === "disabled", (query) => query.where("users.disabled_at", "is not", null))
    .$if(state === "operator", (query) => query.where("users.is_operator", "=", 1))
    .$if(after !== undefined, (query) => query.where("workspaces.slug", ">", after ?? ""))
    .orderBy("workspaces.slug")
    .limit(limit)
    .execute();
  return rows.map(toUser);
}

type TextColumn = "workspaces.slug" | "workspaces.display_name" | "users.email" | "users.name";

/** Returns the condition that one of the columns contains a text, in any case. */
export function containing(engine: Engine, text: string, columns: readonly TextColumn[]): Expression<SqlBool> {
  const where = expressionBuilder<Schema, never>();
  const word = text.toLowerCase();
  return where.or(columns.map((column) => engine.contains(sql<string | null>`lower(${sql.ref(column)})`, word)));
}

export async function findAdministeredUser(
  database: Database,
  slug: string,
  now: Instant,
): Promise<AdministeredUserDetails | undefined> {
  const row = await selectUsers(database).where("workspaces.slug", "=", slug).executeTakeFirst();
  if (row === undefined) return undefined;
  const { id, workspaceId } = row;
  const accounts = await database
    .selectFrom("accounts")
    .select(["provider_id as issuer", "password"])
    .where("user_id", "=", id)
    .execute();
  const organizations = await database
    .selectFrom("memberships")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select(["workspaces.slug", "workspaces.display_name as name", "memberships.role"])
    .where("memberships.user_id", "=", id)
    .where("workspaces.kind", "=", "org")
    .orderBy("workspaces.slug")
    .execute();
  const counts = await database
    .selectNoFrom((select) => [
      select
        .selectFrom("items")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("workspace_id", "=", workspaceId)
        .as("reports"),
      select
        .selectFrom("sessions")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("user_id", "=", id)
        .where("expires_at", ">", now)
        .as("sessions"),
      select
        .selectFrom("tokens")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("user_id", "=", id)
        .as("tokens"),
    ])
    .executeTakeFirstOrThrow();
  return {
    ...toUser(row),
    workspaceId,
    hasPassword: accounts.some(({ password }) => password !== null),
    issuers: accounts.filter(({ issuer }) => issuer !== CREDENTIAL).map(({ issuer }) => issuer),
    organizations,
    reports: counts.reports ?? 0,
    sessions: counts.sessions ?? 0,
    tokens: counts.tokens ?? 0,
  };
}

/** The provider of passwords in the table of accounts. */
const CREDENTIAL = "credential";
