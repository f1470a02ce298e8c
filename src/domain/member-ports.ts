import type { NewUser } from "./account-ports.ts";
import type { Instant, Role } from "./model.ts";

/** Somebody who belongs to an organization. */
export interface Member {
  userId: string;
  slug: string;
  name: string | null;
  email: string;
  role: Role;
  since: Instant;
}

/** Whose membership is to change, and who wants it. */
export interface MemberReference {
  workspaceId: string;
  actorId: string;
  userId: string;
}

/** Each change is checked against the roles of that very moment; throws what `checkMemberChange` throws. */
export interface MemberStore {
  listMembers(workspaceId: string): Promise<Member[]>;
  /** Throws `Conflict` when the user is a member already. */
  admitMember(admission: MemberReference & { role: Role; now: Instant }): Promise<void>;
  setRole(change: MemberReference & { role: Role }): Promise<{ ownWorkspaceId: string }>;
  removeMember(removal: MemberReference): Promise<{ ownWorkspaceId: string }>;
}

/** A link that makes a member of whoever opens it; of its secret only the hash is kept. */
export interface NewInvitation {
  id: string;
  hash: string;
  workspaceId: string;
  inviterId: string;
  role: Role;
  /** Whom it is for; null for whoever has the link. */
  email: string | null;
  now: Instant;
  expiresAt: Instant;
}

export interface Invitation {
  id: string;
  role: Role;
  email: string | null;
  inviterName: string;
  createdAt: Instant;
  expiresAt: Instant;
}

export interface InvitationWithOrganization extends Invitation {
  organization: { slug: string; displayName: string | null };
}

/** The organization that somebody has become a member of. */
export interface Joined {
  workspaceId: string;
  slug: string;
}

/** An invitation is open until it is used, revoked or expired, and while its maker may still invite. */
export interface InvitationStore {
  addInvitation(invitation: NewInvitation): Promise<void>;
  /** The open ones, newest first. */
  listInvitations(workspaceId: string, now: Instant): Promise<Invitation[]>;
  /** Whether there was such an invitation. */
  revokeInvitation(invitation: { workspaceId: string; id: string }): Promise<boolean>;
  /** Undefined unless it is open. */
  findInvitation(hash: string, now: Instant): Promise<InvitationWithOrganization | undefined>;
  /**
   * Uses the invitation up and makes the member, or does neither; returns the organization. Throws `Invalid`
   * when it is not open, `Forbidden` when it is for somebody else, `Conflict` when they are a member already.
   */
  acceptInvitation(acceptance: { hash: string; userId: string; now: Instant }): Promise<Joined>;
  /** The same with an account that is made for it; throws `Conflict` as well when e-mail or slug is taken. */
  acceptAsNewUser(acceptance: { hash: string; user: NewUser }): Promise<Joined>;
}
