import type { Instant } from "../../domain/model/entities.ts";
import type { Client } from "../../domain/oauth/ports.ts";
import type { Database } from "../engine/schema.ts";

export async function findClient(database: Database, id: string): Promise<Client | undefined> {
  const row = await database
    .selectFrom("oauth_clients")
    .select(["id", "name", "redirect_uris"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row && { id: row.id, name: row.name, redirectUris: decodeUris(row.redirect_uris) };
}

function decodeUris(text: string): string[] {
  const uris: unknown = JSON.parse(text);
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/** Adds a client and removes those that weren't used since `unusedSince` and have no grant. */
export async function addClient(
  database: Database,
  { client, at, unusedSince }: { client: Client; at: Instant; unusedSince: Instant },
): Promise<void> {
  await database
    .deleteFrom("oauth_clients")
    .where("used_at", "<", unusedSince)
    .where("id", "not in", database.selectFrom("oauth_grants").select("client_id"))
    .execute();
  const { id, name, redirectUris } = client;
  await database
    .insertInto("oauth_clients")
    .values({ id, name, redirect_uris: JSON.stringify(redirectUris), created_at: at, used_at: at })
    .execute();
}
