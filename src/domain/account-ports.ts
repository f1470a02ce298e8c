import type { Standing, VersionStanding } from "./access.ts";
import type { Caller, Instant, Membership } from "./model.ts";
import type { Plan } from "./plans.ts";

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

/** A version as the user of a session stands to it, who may or may not read it. */
export interface SoughtVersion extends VersionStanding {
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
  /** Undefined when there is no such living session or no such version. */
  findSought(code: string, ref: string, now: Instant): Promise<SoughtVersion | undefined>;
  /** Undefined when there is no such living session. To a workspace that does not exist everybody is a stranger. */
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
  create(record: { table: AuthTable; row: AuthRow }): Promise<AuthRow>;
  find(query: AuthQuery): Promise<AuthRow[]>;
  count(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
  /** The rows as they are afterwards. */
  update(change: { table: AuthTable; where: readonly AuthCondition[]; changes: AuthRow }): Promise<AuthRow[]>;
  /** How many rows there were. */
  remove(query: Pick<AuthQuery, "table" | "where">): Promise<number>;
}
