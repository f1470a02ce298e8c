import type { Instant } from "../../domain/model/entities.ts";
import type { Connection, Grant, IssuedToken, KnownSecret, SecretKind } from "../../domain/oauth/ports.ts";
import type { Database } from "../engine/schema.ts";
import { decodeScopes } from "../tokens/tokens.ts";

/** Adds a grant with its code and removes expired grants. */
export async function addGrant(
  database: Database,
  { grant, code }: { grant: Grant; code: { hash: string; redirectUri: string; challenge: string; expiresAt: Instant } },
): Promise<void> {
  await database.deleteFrom("oauth_grants").where("expires_at", "<=", grant.createdAt).execute();
  await database
    .insertInto("oauth_grants")
    .values({
      id: grant.id,
      user_id: grant.userId,
      workspace_id: grant.workspaceId,
      client_id: grant.clientId,
      client_name: grant.clientName,
      scopes: grant.scopes.join(" "),
      resource: grant.resource,
      created_at: grant.createdAt,
      expires_at: code.expiresAt,
    })
    .execute();
  await database
    .insertInto("oauth_secrets")
    .values({
      hash: code.hash,
      kind: "code" satisfies SecretKind,
      grant_id: grant.id,
      redirect_uri: code.redirectUri,
      challenge: code.challenge,
      expires_at: code.expiresAt,
    })
    .execute();
  await database
    .updateTable("oauth_clients")
    .set({ used_at: grant.createdAt })
    .where("id", "=", grant.clientId)
    .execute();
}

export async function findSecret(database: Database, hash: string): Promise<KnownSecret | undefined> {
  const row = await database
    .selectFrom("oauth_secrets as secret")
    .innerJoin("oauth_grants as granted", "granted.id", "secret.grant_id")
    .select(["secret.kind", "secret.redirect_uri", "secret.challenge", "secret.expires_at", "secret.used_at"])
    .select(["granted.id", "granted.user_id", "granted.workspace_id", "granted.client_id", "granted.client_name"])
    .select(["granted.scopes", "granted.resource", "granted.created_at"])
    .where("secret.hash", "=", hash)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    kind: row.kind === "code" ? "code" : "refresh",
    redirectUri: row.redirect_uri,
    challenge: row.challenge,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    grant: {
      id: row.id,
      userId: row.user_id,
      workspaceId: row.workspace_id,
      clientId: row.client_id,
      clientName: row.client_name,
      scopes: decodeScopes(row.scopes),
      resource: row.resource,
      createdAt: row.created_at,
    },
  };
}

interface Issue {
  hash: string;
  now: Instant;
  replayableSince: Instant;
  forgetUsedBefore: Instant;
  token: IssuedToken;
  refresh: { hash: string; expiresAt: Instant };
}

/**
 * Marks a code or refresh token as used, and adds an access token and the next refresh token to its grant. One update
 * decides who was first, so that concurrent requests can't both redeem a code.
 */
export async function issue(database: Database, issued: Issue): Promise<"issued" | "used" | "gone"> {
  const { hash, now, replayableSince, forgetUsedBefore, token, refresh } = issued;
  const secret = await database
    .updateTable("oauth_secrets")
    .set(({ fn, val }) => ({ used_at: fn.coalesce("used_at", val(now)) }))
    .where("hash", "=", hash)
    .where((where) => where.or([where("used_at", "is", null), where("used_at", ">", replayableSince)]))
    .returning("grant_id")
    .executeTakeFirst();
  if (secret === undefined) return "used";
  const grant = await findUsableGrant(database, secret.grant_id);
  if (grant === undefined) return "gone";
  await database.deleteFrom("tokens").where("grant_id", "=", grant.id).where("expires_at", "<=", now).execute();
  await database
    .deleteFrom("oauth_secrets")
    .where("grant_id", "=", grant.id)
    .where("kind", "=", "refresh")
    .where((where) => where.or([where("expires_at", "<=", now), where("used_at", "<=", forgetUsedBefore)]))
    .execute();
  await database
    .insertInto("tokens")
    .values({
      id: token.id,
      hash: token.hash,
      user_id: grant.user_id,
      workspace_id: grant.workspace_id,
      name: grant.client_name,
      scopes: grant.scopes,
      created_at: now,
      expires_at: token.expiresAt,
      grant_id: grant.id,
    })
    .execute();
  await database
    .insertInto("oauth_secrets")
    .values({
      hash: refresh.hash,
      kind: "refresh" satisfies SecretKind,
      grant_id: grant.id,
      expires_at: refresh.expiresAt,
    })
    .execute();
  await database
    .updateTable("oauth_grants")
    .set({ refreshed_at: now, expires_at: refresh.expiresAt })
    .where("id", "=", grant.id)
    .execute();
  return "issued";
}

/** Returns a grant whose user may still sign in and use the workspace. */
const findUsableGrant = (database: Database, id: string) =>
  database
    .selectFrom("oauth_grants as granted")
    .innerJoin("users", "users.id", "granted.user_id")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.user_id", "=", "granted.user_id")
        .onRef("memberships.workspace_id", "=", "granted.workspace_id"),
    )
    .select(["granted.id", "granted.user_id", "granted.workspace_id", "granted.client_name", "granted.scopes"])
    .where("granted.id", "=", id)
    .where("users.disabled_at", "is", null)
    .executeTakeFirst();

/** Lists the programs that a user let act for them, newest first. */
export async function listConnections(
  database: Database,
  { userId, now }: { userId: string; now: Instant },
): Promise<Connection[]> {
  const rows = await database
    .selectFrom("oauth_grants as granted")
    .innerJoin("workspaces", "workspaces.id", "granted.workspace_id")
    .select(["granted.id", "granted.client_id", "granted.client_name", "granted.scopes", "granted.created_at"])
    .select(["granted.refreshed_at", "workspaces.slug"])
    .select((select) =>
      select
        .selectFrom("tokens")
        .select(({ fn }) => fn.max("tokens.last_used_at").as("last"))
        .whereRef("tokens.grant_id", "=", "granted.id")
        .as("last_used_at"),
    )
    .where("granted.user_id", "=", userId)
    .where("granted.refreshed_at", "is not", null)
    .where("granted.expires_at", ">", now)
    .orderBy("granted.created_at", "desc")
    .orderBy("granted.id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    clientId: row.client_id,
    name: row.client_name,
    workspaceSlug: row.slug,
    scopes: decodeScopes(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: Math.max(row.last_used_at ?? 0, row.refreshed_at ?? 0),
  }));
}

/** Removes a grant with its tokens. Returns whether the user had it. */
export async function removeGrant(
  database: Database,
  { userId, id }: { userId: string; id: string; reason: "user" | "program" | "replay" },
): Promise<boolean> {
  const removed = await database
    .deleteFrom("oauth_grants")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

/** Returns the grant of an access token. */
export async function findGrantOfToken(
  database: Database,
  hash: string,
): Promise<Pick<Grant, "id" | "userId" | "clientId"> | undefined> {
  return database
    .selectFrom("tokens")
    .innerJoin("oauth_grants as granted", "granted.id", "tokens.grant_id")
    .select(["granted.id", "granted.user_id as userId", "granted.client_id as clientId"])
    .where("tokens.hash", "=", hash)
    .executeTakeFirst();
}
