import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import type { addPasswordReset, replacePassword, usePasswordReset } from "./passwords.ts";

async function passwordEvent(
  database: Database,
  action: AuditEvent["action"],
  userId: string,
  details: AuditEvent["details"] & object = {},
): Promise<AuditEvent> {
  const { slug = null, workspaceId = null } = (await findUserLabel(database, userId)) ?? {};
  return { action, workspaceId, subject: slug, subjectId: userId, details };
}

export const recordResetLink: RecorderOf<typeof addPasswordReset> =
  (database, { userId }) =>
  async () => [await passwordEvent(database, "password.create_reset_link", userId)];

export const recordReset: RecorderOf<typeof usePasswordReset> =
  (database, { revokesTokens }) =>
  async (owner) => {
    if (owner === undefined) return [];
    const details = { by_link: true, access_tokens_revoked: revokesTokens };
    return [{ ...(await passwordEvent(database, "password.change", owner.userId, details)), actorId: owner.userId }];
  };

export const recordReplacement: RecorderOf<typeof replacePassword> =
  (database, { userId, revokesTokens }) =>
  async () => [await passwordEvent(database, "password.change", userId, { access_tokens_revoked: revokesTokens })];
