import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Role } from "../../domain/model/entities.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import { userCreation } from "./account-records.ts";
import { type addMember, findRole } from "./accounts.ts";
import type { acceptAsNewUser, acceptInvitation, addInvitation, revokeInvitation } from "./invitations.ts";
import type { admitMember, removeMember, setRole } from "./members.ts";

async function memberEvent(
  database: Database,
  action: AuditEvent["action"],
  { workspaceId, userId }: { workspaceId: string; userId: string },
  details: AuditEvent["details"] & object,
): Promise<AuditEvent> {
  const user = await findUserLabel(database, userId);
  return { action, workspaceId, subject: user?.slug ?? null, subjectId: userId, details };
}

const recordAddition = async (database: Database, member: { workspaceId: string; userId: string; role: Role }) => {
  const event = await memberEvent(database, "member.add", member, { role: member.role });
  return () => [event];
};

export const recordMember: RecorderOf<typeof addMember> = recordAddition;
export const recordAdmission: RecorderOf<typeof admitMember> = recordAddition;

export const recordRole: RecorderOf<typeof setRole> = async (database, { workspaceId, userId, role }) => {
  const from = await findRole(database, workspaceId, userId);
  const event = await memberEvent(
    database,
    "member.set_role",
    { workspaceId, userId },
    { from: from ?? null, to: role },
  );
  return () => (from === role ? [] : [event]);
};

export const recordRemoval: RecorderOf<typeof removeMember> = async (database, { workspaceId, userId }) => {
  const role = await findRole(database, workspaceId, userId);
  const event = await memberEvent(database, "member.remove", { workspaceId, userId }, { role: role ?? null });
  return () => [event];
};

/** An invitation for anyone with the link has no address. */
const ANYONE = "anyone with the link";

export const recordInvitation: RecorderOf<typeof addInvitation> =
  (_, { id, workspaceId, role, email }) =>
  () => [{ action: "invitation.create", workspaceId, subject: email ?? ANYONE, subjectId: id, details: { role } }];

export const recordRevokedInvitation: RecorderOf<typeof revokeInvitation> = async (database, { workspaceId, id }) => {
  const invitation = await database
    .selectFrom("invitations")
    .select(["email", "role"])
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return (isRevoked) => {
    if (!isRevoked || invitation === undefined) return [];
    const { email, role } = invitation;
    return [{ action: "invitation.revoke", workspaceId, subject: email ?? ANYONE, subjectId: id, details: { role } }];
  };
};

async function acceptance(database: Database, workspaceId: string, userId: string): Promise<AuditEvent> {
  const role = await findRole(database, workspaceId, userId);
  const event = await memberEvent(database, "invitation.accept", { workspaceId, userId }, { role: role ?? null });
  return { ...event, actorId: userId };
}

export const recordAcceptance: RecorderOf<typeof acceptInvitation> =
  (database, { userId }) =>
  async ({ workspaceId }) => [await acceptance(database, workspaceId, userId)];

export const recordNewMember: RecorderOf<typeof acceptAsNewUser> =
  (database, { user }) =>
  async ({ workspaceId }) => [userCreation(user), await acceptance(database, workspaceId, user.id)];
