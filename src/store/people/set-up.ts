import { conflict, invalid } from "../../domain/model/failure.ts";
import type { FirstUser, SetUpLink } from "../../domain/people/ports.ts";
import type { Database } from "../engine/schema.ts";
import { addUser, countUsers } from "./accounts.ts";

const IDENTIFIER = "set-up";

/** Adds a set-up link. Replicas that start together each print one. */
export async function addSetUpLink(database: Database, { id, hash, expiresAt, now }: SetUpLink): Promise<void> {
  const links = database.deleteFrom("verifications").where("identifier", "=", IDENTIFIER);
  await links.where("expires_at", "<=", now).execute();
  await database
    .insertInto("verifications")
    .values({ id, identifier: IDENTIFIER, value: hash, expires_at: expiresAt, created_at: now, updated_at: now })
    .execute();
}

/** Returns whether a set-up link is valid, without using it. */
export async function hasSetUpLink(database: Database, hash: string, now: number): Promise<boolean> {
  const found = await database
    .selectFrom("verifications")
    .select("id")
    .where("identifier", "=", IDENTIFIER)
    .where("value", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return found !== undefined && (await countUsers(database)) === 0;
}

/** Uses up all set-up links and creates the first user in one transaction. */
export async function addFirstUser(database: Database, { hash, user }: FirstUser): Promise<void> {
  // Delete first: concurrent calls, also with other links, wait for these rows and then fail.
  const used = await database
    .deleteFrom("verifications")
    .where("identifier", "=", IDENTIFIER)
    .where("expires_at", ">", user.now)
    .returning("value")
    .execute();
  if (!used.some(({ value }) => value === hash))
    throw invalid("This link was already used, or it has expired. Restart Vitrine to get a new one.");
  if ((await countUsers(database)) > 0) throw conflict("The first account already exists. Sign in instead.");
  await addUser(database, user);
}
