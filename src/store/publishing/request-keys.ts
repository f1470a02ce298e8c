import type { Instant } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { Published, RequestKey } from "../../domain/publishing/ports.ts";
import type { Database } from "../engine/schema.ts";

/**
 * Takes a key for a request, or returns what the request led to that has it already. Whoever takes the same key at the
 * same time waits for the end of this transaction. Throws `Conflict` when it is another request.
 */
export async function takeRequestKey(
  database: Database,
  { userId, workspaceId, key, fingerprint, expiresAt }: RequestKey & { expiresAt: Instant },
  now: Instant,
): Promise<Published | undefined> {
  // What it leads to is known at the end of the transaction, and nobody sees the row before.
  const row = { user_id: userId, workspace_id: workspaceId, key, fingerprint, published: "", expires_at: expiresAt };
  const taken = await database
    .insertInto("request_keys")
    .values(row)
    .onConflict((known) =>
      known
        .columns(["user_id", "workspace_id", "key"])
        .doUpdateSet({ fingerprint, expires_at: expiresAt })
        .where("request_keys.expires_at", "<=", now),
    )
    .returning("key")
    .executeTakeFirst();
  return taken === undefined ? findPublished(database, { userId, workspaceId, key, fingerprint, now }) : undefined;
}

/** Notes what the request led to that has taken the key. */
export async function keepPublished(
  database: Database,
  { userId, workspaceId, key }: RequestKey,
  published: Published,
): Promise<void> {
  await database
    .updateTable("request_keys")
    .set({ published: JSON.stringify(published) })
    .where("user_id", "=", userId)
    .where("workspace_id", "=", workspaceId)
    .where("key", "=", key)
    .execute();
}

export async function findPublished(
  database: Database,
  request: RequestKey & { now: Instant },
): Promise<Published | undefined> {
  const row = await database
    .selectFrom("request_keys")
    .select(["fingerprint", "published"])
    .where("user_id", "=", request.userId)
    .where("workspace_id", "=", request.workspaceId)
    .where("key", "=", request.key)
    .where("expires_at", ">", request.now)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.fingerprint !== request.fingerprint)
    throw conflict("This Idempotency-Key was used for another upload. Use a new key.");
  return JSON.parse(row.published);
}
