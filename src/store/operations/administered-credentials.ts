import type { Instant } from "../../domain/model/entities.ts";
import type { AdministeredToken, TokenPage } from "../../domain/operations/administration-ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { decodeScopes } from "../tokens/tokens.ts";

/** Lists access tokens of all users, or of one, oldest first. */
export async function listAllTokens(
  database: Database,
  _engine: Engine,
  { userId, after, limit }: TokenPage,
): Promise<AdministeredToken[]> {
  const rows = await database
    .selectFrom("tokens")
    .innerJoin("workspaces", "workspaces.id", "tokens.workspace_id")
    .innerJoin("memberships as own", "own.user_id", "tokens.user_id")
    .innerJoin("workspaces as home", "home.id", "own.workspace_id")
    .select([
      "tokens.id",
      "tokens.name",
      "home.slug as userSlug",
      "workspaces.slug as workspaceSlug",
      "tokens.scopes",
      "tokens.created_at as createdAt",
      "tokens.expires_at as expiresAt",
      "tokens.last_used_at as lastUsedAt",
    ])
    .where("home.kind", "=", "user")
    .$if(userId !== undefined, (query) => query.where("tokens.user_id", "=", userId ?? ""))
    .$if(after !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where("tokens.created_at", ">", after?.createdAt ?? 0),
          where.and([where("tokens.created_at", "=", after?.createdAt ?? 0), where("tokens.id", ">", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("tokens.created_at")
    .orderBy("tokens.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, scopes: decodeScopes(row.scopes) }));
}

/** Removes a token of any user. Returns the user; undefined if there is no such token. */
export async function removeAnyToken(database: Database, { id }: { id: string }): Promise<string | undefined> {
  const removed = await database
    .deleteFrom("tokens")
    .where("id", "=", id)
    .returning(["user_id", "grant_id"])
    .executeTakeFirst();
  // Otherwise, the program would receive the next one.
  if (removed?.grant_id) await database.deleteFrom("oauth_grants").where("id", "=", removed.grant_id).execute();
  return removed?.user_id;
}

/** Ends all sessions of one user, or of everyone. Returns how many had not expired. */
export async function endAllSessions(
  database: Database,
  { userId, now }: { userId: string | undefined; now: Instant },
): Promise<number> {
  const ended = await database
    .deleteFrom("sessions")
    .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
    .returning("expires_at")
    .execute();
  return ended.filter(({ expires_at }) => expires_at > now).length;
}
