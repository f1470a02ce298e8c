import type { Standing, VersionStanding } from "../model/access.ts";
import type { Caller, DefaultVisibility, Instant, Membership, Role } from "../model/entities.ts";
import type { Plan } from "../model/plans.ts";
import type { SeenBy } from "../model/seen-by.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { WorkspaceFinder } from "../tokens/ports.ts";
import type { PasswordStore } from "./password-ports.ts";

/** Identifies a person at an identity provider. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** A new user with a way to sign in and a workspace. */
export interface NewUser {
  id: string;
  accountId: string;
  workspaceId: string;
  email: string;
  /** Whether the user is known to own the address. */
  isEmailVerified: boolean;
  slug: string;
  name: string | null;
  proof: { passwordHash: string } | IdentityKey;
  plan: Plan;
  now: Instant;
}

export interface IdentityStore {
  /** Returns the ID of the user who signed in with this identity before. */
  findIdentity(key: IdentityKey): Promise<string | undefined>;
  /**
   * Links an identity to the user with its verified email address. Returns undefined if there is no such user. If the
   * address wasn't verified before, removes the user's password, identities, sessions and tokens, which may be someone
   * else's. Throws `Conflict` if the identity already belongs to a user.
   */
  linkIdentity(
    link: IdentityKey & { accountId: string; email: string; now: Instant },
  ): Promise<{ userId: string; wasVerified: boolean } | undefined>;
  /** Returns whether a user has this email address. */
  hasUser(email: string): Promise<boolean>;
}

/** A session that hasn't ended. */
export interface KnownSession {
  id: string;
  /** Identifies the session without being a credential. */
  ref: string;
  expiresAt: Instant;
  /** When the person last confirmed their identity, at sign-in or later. */
  authenticatedAt: Instant;
  user: { email: string; name: string };
  caller: Caller;
}

/** A version with what decides whether the user of a session may read it. */
export interface SessionVersion extends VersionStanding {
  title: string;
  storage: StorageMode;
  versionNo: number;
  createdAt: Instant;
  workspaceId: string;
  ownerSlug: string;
  ownerName: string | null;
  sessionExpiresAt: Instant;
}

/** The relation of a session's user to a version. */
export interface SessionStanding extends Standing {
  ref: string;
  sessionExpiresAt: Instant;
}

/** The version of a report whose relation to people is looked up. No version has an empty ID or code, or the item 0. */
export interface StandingSubject {
  workspaceId: string;
  itemId: number;
  code: string;
}

/** A session as its user sees it in a list. */
export interface ListedSession {
  ref: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Instant;
  expiresAt: Instant;
}

/** A user's own profile. */
export interface Profile {
  email: string;
  name: string | null;
  hasPassword: boolean;
}

/** A user's workspace, with its storage and settings. */
export interface Holding extends Membership {
  storedBytes: number;
  defaultFolderId: string | null;
  /** Null for private. */
  defaultVisibility: DefaultVisibility | null;
  /** Null for off. */
  seenBy: SeenBy | null;
}

export interface SessionStore {
  /** Returns the session of a session token; undefined if it has ended. */
  findSession(token: string, now: Instant): Promise<KnownSession | undefined>;
  /** Returns the session with this `ref`; undefined if it has ended. */
  findSessionByRef(ref: string, now: Instant): Promise<KnownSession | undefined>;
  /** Returns a version for access checks; undefined if the session has ended or there is no such version. */
  findSessionVersion(code: string, ref: string, now: Instant): Promise<SessionVersion | undefined>;
  /**
   * Returns the standings of those sessions that haven't ended, with one query. Treats an unknown version like one the
   * users have no access to.
   */
  findStandings(subject: StandingSubject, refs: readonly string[], now: Instant): Promise<SessionStanding[]>;
  /** Returns a user's sessions that haven't ended, newest first. */
  listSessions(userId: string, now: Instant): Promise<ListedSession[]>;
  /** Returns whether the user had this session. */
  endSession(session: { userId: string; ref: string }): Promise<boolean>;
  /** Ends all of the user's sessions except this one. Returns how many it ended. */
  endOtherSessions(session: { userId: string; ref: string }): Promise<number>;
  /** Records that a session's user confirmed their identity. Returns whether the session still exists. */
  confirmSession(session: { id: string; userId: string; at: Instant }): Promise<boolean>;
}

/** A link for creating the first user. Only the hash of its secret is stored. */
export interface SetUpLink {
  id: string;
  hash: string;
  expiresAt: Instant;
  now: Instant;
}

export interface FirstUser {
  hash: string;
  user: NewUser;
}

export interface SetUpStore {
  addSetUpLink(link: SetUpLink): Promise<void>;
  /** Returns whether the link is valid now. */
  hasSetUpLink(hash: string, now: Instant): Promise<boolean>;
  /** Uses up all links. Throws `Invalid` if one was used or this one has expired, and `Conflict` if there is a user. */
  addFirstUser(first: FirstUser): Promise<void>;
}

/** The tables that the sign-in library reads and writes. */
export type AuthTable = "users" | "accounts" | "sessions" | "verifications";
export type AuthValue = string | number | null;
export type AuthRow = Readonly<Record<string, AuthValue>>;

export interface AuthCondition {
  column: string;
  operator: "=" | "<>" | "<" | "<=" | ">" | ">=" | "in" | "not in";
  value: AuthValue | readonly (string | number)[];
  /** Whether this is one of the conditions of which only one must hold. All others must hold. */
  isAlternative: boolean;
}

export interface AuthQuery {
  table: AuthTable;
  where: readonly AuthCondition[];
  orderBy?: { column: string; isDescending: boolean } | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Access to the tables of the sign-in library, which builds its own queries. Columns are named as in the schema. */
export interface AuthRecords {
  createAuthRow(record: { table: AuthTable; row: AuthRow }): Promise<AuthRow>;
  findAuthRows(query: AuthQuery): Promise<AuthRow[]>;
  countAuthRows(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
  /** Returns the updated rows. */
  updateAuthRows(change: { table: AuthTable; where: readonly AuthCondition[]; changes: AuthRow }): Promise<AuthRow[]>;
  /** Returns how many rows it removed. */
  removeAuthRows(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Returns whether the password matches; false if the hash isn't valid. */
  verify(password: string, hash: string): Promise<boolean>;
}
export interface AccountStore extends WorkspaceFinder {
  countUsers(): Promise<number>;
  /** Throws `Conflict` if the email address or slug is taken. */
  addUser(user: NewUser): Promise<void>;
  /** Throws `Conflict` if the slug is taken. */
  addOrganization(organization: {
    id: string;
    slug: string;
    name: string;
    ownerId: string;
    plan: Plan;
    now: Instant;
  }): Promise<void>;
  /** Throws `Conflict` if the user is already a member. */
  addMember(member: { workspaceId: string; userId: string; role: Role; now: Instant }): Promise<void>;
  /** Returns whether there is such a workspace. */
  setPlan(change: { slug: string; plan: Plan }): Promise<boolean>;
  findProfile(userId: string): Promise<Profile | undefined>;
  /** Returns the user's workspaces in no particular order. */
  listHoldings(userId: string): Promise<Holding[]>;
  /** Sets the name of a workspace, and of its user if it is personal. Returns false if the user may not govern it. */
  setDisplayName(change: { workspaceId: string; userId: string; displayName: string; now: Instant }): Promise<boolean>;
  /** Sets the default visibility of an organization's workspace. Returns false if the user may not govern it. */
  setDefaultVisibility(change: {
    workspaceId: string;
    userId: string;
    visibility: DefaultVisibility;
  }): Promise<boolean>;
}

/** A member of an organization. */
export interface Member {
  userId: string;
  slug: string;
  name: string | null;
  email: string;
  role: Role;
  since: Instant;
}
/** The membership to change, and the user who changes it. */
export interface MemberReference {
  workspaceId: string;
  actorId: string;
  userId: string;
}
/** Checks each change against the roles at that moment, and throws what `checkMemberChange` throws. */
export interface MemberStore {
  listMembers(workspaceId: string): Promise<Member[]>;
  /** Throws `Conflict` if the user is already a member. */
  admitMember(admission: MemberReference & { role: Role; now: Instant }): Promise<void>;
  setRole(change: MemberReference & { role: Role }): Promise<{ ownWorkspaceId: string }>;
  removeMember(removal: MemberReference): Promise<{ ownWorkspaceId: string }>;
}
/** A link with which one person joins an organization. Only the hash of its secret is stored. */
export interface NewInvitation {
  id: string;
  hash: string;
  workspaceId: string;
  inviterId: string;
  role: Role;
  /** The address of the invited person; null for anyone with the link. */
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
/** The organization that a person joined. */
export interface Joined {
  workspaceId: string;
  slug: string;
}
/** An invitation is open until it is used, revoked or expired, or its creator may not invite any more. */
export interface InvitationStore {
  addInvitation(invitation: NewInvitation): Promise<void>;
  /** Returns open invitations, newest first. */
  listInvitations(workspaceId: string, now: Instant): Promise<Invitation[]>;
  /** Returns whether there was such an invitation. */
  revokeInvitation(invitation: { workspaceId: string; id: string }): Promise<boolean>;
  /** Returns an invitation; undefined unless it is open. */
  findInvitation(hash: string, now: Instant): Promise<InvitationWithOrganization | undefined>;
  /**
   * Uses up the invitation and adds the member, or does neither. Throws `Invalid` if it isn't open, `Forbidden` if it
   * is for another person, and `Conflict` if the user is already a member.
   */
  acceptInvitation(acceptance: { hash: string; userId: string; now: Instant }): Promise<Joined>;
  /** Creates the user, then accepts as `acceptInvitation` does. Throws `Conflict` if the email or slug is taken. */
  acceptAsNewUser(acceptance: { hash: string; user: NewUser }): Promise<Joined>;
}

/** The database access of this capability. */
export interface PeopleStore
  extends AccountStore,
    MemberStore,
    InvitationStore,
    IdentityStore,
    PasswordStore,
    SessionStore,
    SetUpStore,
    AuthRecords {}
