import type { Standing, VersionStanding } from "../model/access.ts";
import type { Caller, Instant, Membership, Role, Workspace } from "../model/entities.ts";
import type { Plan } from "../model/plans.ts";

/** Somebody as a provider of single sign-on calls them. */
export interface IdentityKey {
  issuer: string;
  subject: string;
}

/** A user with a way to prove who they are and a workspace of their own. */
export interface NewUser {
  id: string;
  accountId: string;
  workspaceId: string;
  email: string;
  /** Whether it is known that the address is theirs. */
  isEmailProven: boolean;
  slug: string;
  name: string | null;
  proof: { passwordHash: string } | IdentityKey;
  plan: Plan;
  now: Instant;
}

export interface IdentityStore {
  /** The id of the user who has signed in with this identity before. */
  findIdentity(key: IdentityKey): Promise<string | undefined>;
  /**
   * Lets the user of an address, which is theirs, sign in with this identity from now on. Undefined when there is no
   * such user. If nobody had proven the address before, all earlier ways in are removed: passwords, identities, sessions
   * and tokens. Throws `Conflict` when the identity is somebody's already.
   */
  linkIdentity(
    link: IdentityKey & { accountId: string; email: string; now: Instant },
  ): Promise<{ userId: string; wasProven: boolean } | undefined>;
  /** Whether the address is some user's. */
  hasUser(email: string): Promise<boolean>;
}

/** A living session. */
export interface KnownSession {
  id: string;
  /** Names the session without being a credential. */
  ref: string;
  expiresAt: Instant;
  /** When the person last proved who they are, at sign-in or later. */
  authenticatedAt: Instant;
  user: { email: string; name: string };
  caller: Caller;
}

/** A version with what decides whether the user of a session may read it. */
export interface SessionVersion extends VersionStanding {
  title: string;
  versionNo: number;
  createdAt: Instant;
  ownerSlug: string;
  ownerName: string | null;
  sessionExpiresAt: Instant;
}

/** A workspace as the user of a session stands to it. */
export interface SessionStanding extends Standing {
  sessionExpiresAt: Instant;
}

/** One of a user's sessions, as they may tell it from the others. */
export interface ListedSession {
  ref: string;
  userAgent: string | null;
  address: string | null;
  createdAt: Instant;
  expiresAt: Instant;
}

/** A user as they see themselves. */
export interface Profile {
  email: string;
  name: string | null;
  hasPassword: boolean;
}

/** A workspace of a user's, and what it holds. */
export interface Holding extends Membership {
  storedBytes: number;
  defaultFolderId: string | null;
}

export interface SessionStore {
  /** Undefined when there is no such session any more. */
  findSession(token: string, now: Instant): Promise<KnownSession | undefined>;
  /** The same by what names a session without being a credential. */
  findSessionByRef(ref: string, now: Instant): Promise<KnownSession | undefined>;
  /** Returns a version for access checks; undefined if the session has ended or there is no such version. */
  findSessionVersion(code: string, ref: string, now: Instant): Promise<SessionVersion | undefined>;
  /** Returns undefined if the session has ended. Treats an unknown workspace like one the user has no access to. */
  findStanding(workspaceId: string, ref: string, now: Instant): Promise<SessionStanding | undefined>;
  /** The living ones of a user, newest first. */
  listSessions(userId: string, now: Instant): Promise<ListedSession[]>;
  /** Whether the user had such a session. */
  endSession(session: { userId: string; ref: string }): Promise<boolean>;
  /** Ends all of the user's but this one; how many they were. */
  endOtherSessions(session: { userId: string; ref: string }): Promise<number>;
  /** Notes that the person behind a session has proven who they are. Returns whether there still is such a session. */
  confirmSession(session: { id: string; userId: string; at: Instant }): Promise<boolean>;
}

/** The link with which the first user is made; of its secret only the hash is kept. */
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
  replaceSetUpLink(link: SetUpLink): Promise<void>;
  /** Whether the link could be used now. */
  hasSetUpLink(hash: string, now: Instant): Promise<boolean>;
  /** Throws `Invalid` when the link is used up or expired, `Conflict` when there is a user. */
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
  /** At least one of the alternatives has to hold, and every condition that is none. */
  isAlternative: boolean;
}

export interface AuthQuery {
  table: AuthTable;
  where: readonly AuthCondition[];
  orderBy?: { column: string; isDescending: boolean } | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
}

/** Rows of the sign-in tables, for a library that brings its own queries. Columns have the names of the schema. */
export interface AuthRecords {
  createAuthRow(record: { table: AuthTable; row: AuthRow }): Promise<AuthRow>;
  findAuthRows(query: AuthQuery): Promise<AuthRow[]>;
  countAuthRows(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
  /** The rows as they are afterwards. */
  updateAuthRows(change: { table: AuthTable; where: readonly AuthCondition[]; changes: AuthRow }): Promise<AuthRow[]>;
  /** How many rows there were. */
  removeAuthRows(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
}

export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** False as well where the hash is none. */
  verify(password: string, hash: string): Promise<boolean>;
}
export interface AccountStore {
  countUsers(): Promise<number>;
  /** Throws `Conflict` when e-mail or slug is taken. */
  addUser(user: NewUser): Promise<void>;
  /** The user whose own workspace has this slug. */
  findUserBySlug(slug: string): Promise<{ id: string; workspaceId: string } | undefined>;
  findWorkspace(slug: string): Promise<Workspace | undefined>;
  findRole(workspaceId: string, userId: string): Promise<Role | undefined>;
  /** Throws `Conflict` when the slug is taken. */
  addOrganization(organization: {
    id: string;
    slug: string;
    name: string;
    ownerId: string;
    plan: Plan;
    now: Instant;
  }): Promise<void>;
  /** Throws `Conflict` when the user is a member already. */
  addMember(member: { workspaceId: string; userId: string; role: Role; now: Instant }): Promise<void>;
  /** Whether there is such a workspace. */
  setPlan(change: { slug: string; plan: Plan }): Promise<boolean>;
  findProfile(userId: string): Promise<Profile | undefined>;
  /** The user's workspaces, in no order. */
  listHoldings(userId: string): Promise<Holding[]>;
  /** Whether the user is one of the workspace's owners and admins. A person's own names the person as well. */
  setDisplayName(change: { workspaceId: string; userId: string; displayName: string; now: Instant }): Promise<boolean>;
}

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

/** What the rules about people ask of the database. */
export interface PeopleStore
  extends AccountStore,
    MemberStore,
    InvitationStore,
    IdentityStore,
    SessionStore,
    SetUpStore,
    AuthRecords {}
