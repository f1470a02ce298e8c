import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import { findRole } from "../people/accounts.ts";
import type { endAllSessions, removeAnyToken } from "./administered-credentials.ts";
import type { changeMembership } from "./administered-members.ts";
import type { disableUser, enableUser, setOperator } from "./user-changes.ts";
import type { beginUserDeletion, finishUserDeletion } from "./user-deletion.ts";

async function userEvent(
  database: Database,
  action: AuditEvent["action"],
  userId: string,
  details: AuditEvent["details"] & object = {},
): Promise<AuditEvent> {
  const { slug = null, workspaceId = null } = (await findUserLabel(database, userId)) ?? {};
  return { action, workspaceId, workspace: slug, subject: slug, subjectId: userId, details };
}

async function findState(database: Database, userId: string) {
  const state = await database
    .selectFrom("users")
    .select(["is_operator", "disabled_at"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return { isOperator: state?.is_operator === 1, isDisabled: (state?.disabled_at ?? null) !== null };
}

export const recordOperator: RecorderOf<typeof setOperator> = async (database, { userId, isOperator }) => {
  const before = await findState(database, userId);
  const event = await userEvent(database, isOperator ? "user.grant_operator" : "user.revoke_operator", userId);
  return () => (before.isOperator === isOperator ? [] : [event]);
};

export const recordDisabling: RecorderOf<typeof disableUser> = async (database, { userId }) => {
  const { isDisabled } = await findState(database, userId);
  const event = await userEvent(database, "user.disable", userId);
  return () => (isDisabled ? [] : [event]);
};

export const recordEnabling: RecorderOf<typeof enableUser> = async (database, { userId }) => {
  const { isDisabled } = await findState(database, userId);
  const event = await userEvent(database, "user.enable", userId);
  return () => (isDisabled ? [event] : []);
};

export const recordBegunDeletion: RecorderOf<typeof beginUserDeletion> = async (database, { userId }) => {
  const { isDisabled } = await findState(database, userId);
  const event = await userEvent(database, "user.disable", userId, { for_deletion: true });
  return ({ soleOwnerOf }) => (isDisabled || soleOwnerOf.length > 0 ? [] : [event]);
};

export const recordUserDeletion: RecorderOf<typeof finishUserDeletion> = async (database, { userId }) => {
  const event = await userEvent(database, "user.delete", userId);
  return ({ kind }) => (kind === "deleted" ? [event] : []);
};

export const recordAnyRevocation: RecorderOf<typeof removeAnyToken> = async (database, { id }) => {
  const token = await database
    .selectFrom("tokens")
    .select(["name", "workspace_id as workspaceId", "user_id as userId"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (token === undefined) return () => [];
  const { name, workspaceId, userId } = token;
  const user = await findUserLabel(database, userId);
  const details = { user: user?.slug ?? userId };
  return () => [{ action: "token.revoke", workspaceId, subject: name, subjectId: id, details }];
};

export const recordAllEnded: RecorderOf<typeof endAllSessions> =
  (database, { userId }) =>
  async (sessions) => {
    if (userId === undefined)
      return [{ action: "session.end_all", workspaceId: null, subject: null, details: { sessions } }];
    return sessions === 0 ? [] : [await userEvent(database, "session.end", userId, { sessions })];
  };

export const recordMembership: RecorderOf<typeof changeMembership> = async (database, { workspaceId, userId, to }) => {
  const from = (await findRole(database, workspaceId, userId)) ?? null;
  const user = await findUserLabel(database, userId);
  const action = from === null ? "member.add" : to === null ? "member.remove" : "member.set_role";
  const details = from !== null && to !== null ? { from, to } : { role: to ?? from };
  return () => (from === to ? [] : [{ action, workspaceId, subject: user?.slug ?? null, subjectId: userId, details }]);
};
