import type { Instant } from "../../domain/model/entities.ts";
import { conflict } from "../../domain/model/failure.ts";
import type { IdentityKey } from "../../domain/people/ports.ts";
import { isUniqueViolation } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";

export async function findIdentity(database: Database, { issuer, subject }: IdentityKey): Promise<string | undefined> {
  const account = await database
    .selectFrom("accounts")
    .select("user_id")
    .where("provider_id", "=", issuer)
    .where("account_id", "=", subject)
    .executeTakeFirst();
  return account?.user_id;
}

export async function hasUser(database: Database, email: string): Promise<boolean> {
  return (await findUserId(database, email)) !== undefined;
}

async function findUserId(database: Database, email: string): Promise<string | undefined> {
  const user = await database.selectFrom("users").select("id").where("email", "=", email).executeTakeFirst();
  return user?.id;
}

/** Links an identity to a user. Throws `Conflict` if it is already linked. */
export async function addIdentity(
  database: Database,
  identity: IdentityKey & { accountId: string; userId: string; now: Instant },
): Promise<void> {
  const { accountId, userId, issuer, subject, now } = identity;
  try {
    await database
      .insertInto("accounts")
      .values({
        id: accountId,
        user_id: userId,
        provider_id: issuer,
        account_id: subject,
        created_at: now,
        updated_at: now,
      })
      .execute();
  } catch (error) {
    throw isUniqueViolation(error) ? conflict("This identity is already linked to an account.") : error;
  }
}

export async function linkIdentity(
  database: Database,
  { email, ...identity }: IdentityKey & { accountId: string; email: string; now: Instant },
): Promise<{ userId: string; wasVerified: boolean } | undefined> {
  // A single statement checks and sets it, so that only one of two concurrent links is the first.
  const verified = await database
    .updateTable("users")
    .set({ email_verified: 1, updated_at: identity.now })
    .where("email", "=", email)
    .where("email_verified", "=", 0)
    .returning("id")
    .executeTakeFirst();
  if (verified !== undefined) await removeCredentials(database, verified.id);
  const userId = verified?.id ?? (await findUserId(database, email));
  if (userId === undefined) return undefined;
  await addIdentity(database, { ...identity, userId });
  return { userId, wasVerified: verified === undefined };
}

/** Removes all credentials of a user, which may belong to a person who never verified the address. */
export async function removeCredentials(database: Database, userId: string): Promise<void> {
  await database.deleteFrom("accounts").where("user_id", "=", userId).execute();
  await database.deleteFrom("sessions").where("user_id", "=", userId).execute();
  await database.deleteFrom("tokens").where("user_id", "=", userId).execute();
  await database.deleteFrom("oauth_grants").where("user_id", "=", userId).execute();
  await database.deleteFrom("oauth_devices").where("user_id", "=", userId).execute();
}
