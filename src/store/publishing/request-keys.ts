import type { Expression } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { Published, RequestKey } from "../../domain/publishing/ports.ts";
import type { Source } from "../engine/prepared.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { valuesOf } from "./rows.ts";

/** A request key in the form in which the database takes it, without the outcome. */
export type RequestKeyRow = Omit<Schema["request_keys"], "published">;

/** Returns a request key in the form in which the database takes it. */
export const toRequestKeyRow = (request: RequestKey & { expiresAt: Instant }): RequestKeyRow => ({
  user_id: request.userId,
  workspace_id: request.workspaceId,
  key: request.key,
  fingerprint: request.fingerprint,
  expires_at: request.expiresAt,
});

/** Returns the insertion of a request key and its outcome as JSON; it changes no row if another request has the key. */
export const insertRequestKey = (
  database: Database,
  given: Source<RequestKeyRow>,
  published: string | Expression<string>,
  now: Instant | Expression<Instant>,
) =>
  database
    .insertInto("request_keys")
    .values({
      user_id: given("user_id"),
      workspace_id: given("workspace_id"),
      key: given("key"),
      fingerprint: given("fingerprint"),
      published,
      expires_at: given("expires_at"),
    })
    .onConflict((known) =>
      known
        .columns(["user_id", "workspace_id", "key"])
        .doUpdateSet(({ ref }) => ({
          fingerprint: ref("excluded.fingerprint"),
          published: ref("excluded.published"),
          expires_at: ref("excluded.expires_at"),
        }))
        .where("request_keys.expires_at", "<=", now),
    )
    .returning("key");

/**
 * Takes a key for a request, or returns the outcome of the request that already has it. Requests that take the same key
 * at the same time wait for this transaction to end. Throws `Conflict` if the key belongs to a different request.
 */
export async function takeRequestKey(
  database: Database,
  request: RequestKey & { expiresAt: Instant },
  now: Instant,
): Promise<Published | undefined> {
  // The outcome is known at the end of the transaction; other connections don't see the row before.
  const insertion = insertRequestKey(database, valuesOf(toRequestKeyRow(request)), "", now);
  const taken = await insertion.executeTakeFirst();
  return taken === undefined ? findPublished(database, { ...request, now }) : undefined;
}

/** Stores the outcome of the request that has taken the key. */
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

/** Returns the outcome of an earlier request with the key. Throws `Conflict` if it was a different request. */
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
