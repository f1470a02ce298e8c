import type { Caller, Instant } from "../../domain/model/entities.ts";
import type { MailPeriod } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";
import { verifiedEmail } from "../model/personal.ts";
import { MEMBERSHIP_COLUMNS, toMembership } from "../people/memberships.ts";

/** Lists people with an unread entry that is old enough to mail, and who got no mail recently. */
export async function listMailDue(
  database: Database,
  { since, due, mailedSince, limit }: MailPeriod & { limit: number },
): Promise<string[]> {
  const rows = await database
    .selectFrom("inbox")
    .innerJoin("users", "users.id", "inbox.user_id")
    .select("inbox.user_id")
    .distinct()
    .where("inbox.read_at", "is", null)
    .where("inbox.mailed_at", "is", null)
    .where("inbox.created_at", ">=", since)
    .where("inbox.created_at", "<=", due)
    .where("users.disabled_at", "is", null)
    .where("users.email_verified", "=", 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("inbox as mailed")
            .select("mailed.id")
            .whereRef("mailed.user_id", "=", "inbox.user_id")
            .where("mailed.mailed_at", ">", mailedSince),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("notification_settings")
            .select("notification_settings.user_id")
            .whereRef("notification_settings.user_id", "=", "inbox.user_id")
            .where("notification_settings.mail", "=", 0),
        ),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Returns what a person may do now; undefined if they have no verified address or were disabled. */
export async function findMailReader(database: Database, userId: string): Promise<Caller | undefined> {
  const rows = await database
    .selectFrom("users")
    .innerJoin("memberships", "memberships.user_id", "users.id")
    .innerJoin("workspaces", "workspaces.id", "memberships.workspace_id")
    .select([verifiedEmail.as("verified_email"), ...MEMBERSHIP_COLUMNS])
    .where("users.id", "=", userId)
    .where("users.disabled_at", "is", null)
    .orderBy("workspaces.slug")
    .execute();
  const memberships = rows.map(toMembership);
  const [workspace] = memberships;
  const email = rows[0]?.verified_email ?? null;
  if (workspace === undefined || email === null) return undefined;
  return {
    ...{ userId, verifiedEmail: email, workspace, memberships },
    ...{ scopes: new Set(["reports:read"] as const), credentialId: "", isOperator: false },
  };
}

/** Marks a person's unread entries as mailed. Returns those that no one marked before. */
export async function claimMail(
  database: Database,
  { userId, since, now }: { userId: string; since: Instant; now: Instant },
): Promise<string[]> {
  const rows = await database
    .updateTable("inbox")
    .set({ mailed_at: now })
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .where("mailed_at", "is", null)
    .where("created_at", ">=", since)
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Takes back a mark, because the mail server didn't accept the mail. */
export async function releaseMail(
  database: Database,
  { userId, mailedAt }: { userId: string; mailedAt: Instant },
): Promise<void> {
  await database
    .updateTable("inbox")
    .set({ mailed_at: null })
    .where("user_id", "=", userId)
    .where("mailed_at", "=", mailedAt)
    .execute();
}
