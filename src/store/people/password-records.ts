import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import type { addPasswordReset, redeemPasswordReset, replacePassword } from "./passwords.ts";

async function passwordEvent(
  database: Database,
  action: AuditEvent["action"],
  userId: string,
  details: AuditEvent["details"] & object = {},
): Promise<AuditEvent> {
  const { slug = null, workspaceId = null } = (await findUserLabel(database, userId)) ?? {};
  return { action, workspaceId, subject: slug, subjectId: userId, details };
}

/** Records links that operators create. Anyone can have a link mailed, so only its use is recorded. */
export const recordResetLink: RecorderOf<typeof addPasswordReset> =
  (database, { userId, isMailed }) =>
  async () =>
    isMailed ? [] : [await passwordEvent(database, "password.create_reset_link", userId)];

export const recordReset: RecorderOf<typeof redeemPasswordReset> = (database) => async (owner) => {
  if (owner === undefined) return [];
  const event = await passwordEvent(database, "password.change", owner.userId, { by_link: true });
  return [{ ...event, actorId: owner.userId }];
};

export const recordReplacement: RecorderOf<typeof replacePassword> =
  (database, { userId }) =>
  async () => [await passwordEvent(database, "password.change", userId)];
