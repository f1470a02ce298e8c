import { sql } from "kysely";
import { type Instant, SCOPES, type Scope } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { KnownToken, TokenRecord } from "../../domain/tokens/ports.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { verifiedEmail } from "../model/personal.ts";
import { MEMBERSHIP_COLUMNS, toMembership } from "../people/memberships.ts";

const selectToken = prepared((database, tokenHash: string) =>
  database
    .selectFrom("tokens")
    .innerJoin("users", "users.id", "tokens.user_id")
    .innerJoin("memberships", "memberships.user_id", "tokens.user_id")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([
      "tokens.id as token_id",
      "tokens.user_id",
      "tokens.workspace_id as token_workspace_id",
      "tokens.scopes",
      "tokens.expires_at",
      "tokens.last_used_at",
      verifiedEmail.as("verified_email"),
      ...MEMBERSHIP_COLUMNS,
    ])
    .where("tokens.hash", "=", tokenHash)
    .where("users.disabled_at", "is", null)
    .orderBy("workspaces.slug"),
);

export async function findCaller(database: Database, tokenHash: string, now: Instant): Promise<KnownToken | undefined> {
  const rows = await selectToken(database, tokenHash);
  const [token] = rows;
  if (token === undefined) return undefined;
  const memberships = rows.map(toMembership);
  const workspace = memberships.find(({ id }) => id === token.token_workspace_id);
  if (workspace === undefined) return undefined;
  if (token.expires_at !== null && token.expires_at <= now) return { expiredAt: token.expires_at };
  return {
    caller: {
      userId: token.user_id,
      verifiedEmail: token.verified_email,
      workspace,
      memberships,
      scopes: new Set(decodeScopes(token.scopes)),
      credentialId: token.token_id,
      isOperator: false,
    },
    lastUsedAt: token.last_used_at,
  };
}

export const decodeScopes = (text: string): Scope[] => SCOPES.filter((scope) => text.split(" ").includes(scope));

export async function addToken(
  database: Database,
  token: {
    id: string;
    hash: string;
    userId: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    createdAt: Instant;
    expiresAt: Instant | null;
    limit?: number | undefined;
  },
): Promise<void> {
  if (token.limit !== undefined) await requireRoom(database, token.userId, token.limit);
  await database
    .insertInto("tokens")
    .values({
      id: token.id,
      hash: token.hash,
      user_id: token.userId,
      workspace_id: token.workspaceId,
      name: token.name,
      scopes: token.scopes.join(" "),
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .execute();
}

/** Throws `Conflict` if the user has reached the limit. Updates the user's row first, so that concurrent calls wait. */
async function requireRoom(database: Database, userId: string, limit: number): Promise<void> {
  await database.updateTable("users").set({ updated_at: sql`updated_at` }).where("id", "=", userId).execute();
  const { count } = await database
    .selectFrom("tokens")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("grant_id", "is", null)
    .executeTakeFirstOrThrow();
  if (count >= limit)
    throw conflict(`You have reached the limit of ${limit} access tokens. Revoke one that you no longer need.`);
}

/** Lists a user's tokens, newest first. */
export async function listTokens(database: Database, userId: string): Promise<TokenRecord[]> {
  const rows = await database
    .selectFrom("tokens")
    .innerJoin("workspaces", "workspaces.id", "tokens.workspace_id")
    .select([
      "tokens.id",
      "tokens.name",
      "tokens.scopes",
      "workspaces.slug as workspaceSlug",
      "tokens.created_at as createdAt",
      "tokens.expires_at as expiresAt",
      "tokens.last_used_at as lastUsedAt",
    ])
    .where("tokens.user_id", "=", userId)
    .where("tokens.grant_id", "is", null)
    .orderBy("tokens.created_at", "desc")
    .orderBy("tokens.id")
    .execute();
  return rows.map((row) => ({ ...row, scopes: decodeScopes(row.scopes) }));
}

export async function removeToken(
  database: Database,
  { userId, id }: { userId: string; id: string },
): Promise<boolean> {
  const removed = await database
    .deleteFrom("tokens")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Removes all of a user's tokens and returns their number. */
export async function removeTokens(database: Database, { userId }: { userId: string }): Promise<number> {
  const removed = await database.deleteFrom("tokens").where("user_id", "=", userId).executeTakeFirst();
  await database.deleteFrom("oauth_grants").where("user_id", "=", userId).execute();
  await database.deleteFrom("oauth_devices").where("user_id", "=", userId).execute();
  return Number(removed.numDeletedRows);
}

export async function touchToken(database: Database, { id, usedAt }: { id: string; usedAt: Instant }): Promise<void> {
  await database.updateTable("tokens").set({ last_used_at: usedAt }).where("id", "=", id).execute();
}
