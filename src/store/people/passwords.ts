import type { Instant } from "../../domain/model/entities.ts";
import type { EmailOwner, NewPassword, NewPasswordReset } from "../../domain/people/password-ports.ts";
import type { Database } from "../engine/schema.ts";
import { removeCredentials } from "./identities.ts";

const CREDENTIAL = "credential";
/** What identifiers of links begin with. The hash of the secret follows. The value is the user's ID. */
const HANDED = "password-reset:";
const MAILED = "password-reset-by-mail:";

const identifiersOf = (hash: string) => [HANDED + hash, MAILED + hash];

const selectOwners = (database: Database) =>
  database
    .selectFrom("users")
    .leftJoin("accounts", (join) =>
      join
        .onRef("accounts.user_id", "=", "users.id")
        .on("accounts.provider_id", "=", CREDENTIAL)
        .on("accounts.password", "is not", null),
    )
    .select(["users.id as userId", "users.email", "accounts.id as passwordId"])
    .where("users.disabled_at", "is", null);

const toOwner = (row: { userId: string; email: string; passwordId: string | null }): EmailOwner => ({
  userId: row.userId,
  email: row.email,
  hasPassword: row.passwordId !== null,
});

export async function findEmailOwner(database: Database, email: string): Promise<EmailOwner | undefined> {
  const row = await selectOwners(database).where("users.email", "=", email).executeTakeFirst();
  return row && toOwner(row);
}

export async function addPasswordReset(
  database: Database,
  { id, userId, hash, isMailed, expiresAt, now }: NewPasswordReset,
): Promise<void> {
  const identifier = (isMailed ? MAILED : HANDED) + hash;
  await database
    .insertInto("verifications")
    .values({ id, identifier, value: userId, expires_at: expiresAt, created_at: now, updated_at: now })
    .execute();
}

export async function hasPasswordReset(database: Database, hash: string, now: Instant): Promise<boolean> {
  const found = await database
    .selectFrom("verifications")
    .select("value as userId")
    .where("identifier", "in", identifiersOf(hash))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return found !== undefined && (await findOwner(database, found.userId)) !== undefined;
}

async function findOwner(database: Database, userId: string): Promise<EmailOwner | undefined> {
  const row = await selectOwners(database).where("users.id", "=", userId).executeTakeFirst();
  return row && toOwner(row);
}

export async function redeemPasswordReset(
  database: Database,
  { hash, ...change }: NewPassword & { hash: string },
): Promise<EmailOwner | undefined> {
  // Delete first: concurrent calls wait for this row and then find none.
  const used = await database
    .deleteFrom("verifications")
    .where("identifier", "in", identifiersOf(hash))
    .where("expires_at", ">", change.now)
    .returning(["identifier", "value as userId"])
    .executeTakeFirst();
  const owner = used && (await findOwner(database, used.userId));
  if (owner === undefined) return undefined;
  if (used?.identifier.startsWith(MAILED)) await verifyAddress(database, owner.userId, change.now);
  await replacePassword(database, { ...change, userId: owner.userId });
  return owner;
}

export async function replacePassword(
  database: Database,
  { userId, accountId, passwordHash, now }: NewPassword & { userId: string },
): Promise<void> {
  await database
    .insertInto("accounts")
    .values({
      id: accountId,
      user_id: userId,
      provider_id: CREDENTIAL,
      account_id: userId,
      password: passwordHash,
      created_at: now,
      updated_at: now,
    })
    .onConflict((known) =>
      known.columns(["provider_id", "account_id"]).doUpdateSet({ password: passwordHash, updated_at: now }),
    )
    .execute();
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await database
    .deleteFrom("verifications")
    .where("value", "=", userId)
    .where("identifier", "like", "password-reset%")
    .execute();
}

/** Marks the address as verified. If it wasn't, removes credentials that may belong to another person. */
async function verifyAddress(database: Database, userId: string, now: Instant): Promise<void> {
  const verified = await database
    .updateTable("users")
    .set({ email_verified: 1, updated_at: now })
    .where("id", "=", userId)
    .where("email_verified", "=", 0)
    .executeTakeFirst();
  if (verified.numUpdatedRows > 0n) await removeCredentials(database, userId);
}
