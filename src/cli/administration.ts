import type { AuditCommands } from "./audit-commands.ts";

/** What administration commands do to the database, without a running server. Lists are complete. */
export interface Administration
  extends UserCommands,
    OrganizationCommands,
    WorkspaceCommands,
    TokenCommands,
    AuditCommands {
  setPlan(slug: string, plan: Plan): Promise<void>;
}

export type Plan = "free" | "pro";
export type Role = "owner" | "admin" | "member";

/** Times are milliseconds since 1970. */
type Instant = number;

export interface ListedUser {
  slug: string;
  email: string;
  name: string | null;
  isOperator: boolean;
  disabledAt: Instant | null;
  plan: Plan;
  storedBytes: number;
  lastSeenAt: Instant | null;
  createdAt: Instant;
}

export interface ShownUser extends ListedUser {
  hasPassword: boolean;
  /** The identity providers with which the user signs in. */
  issuers: readonly string[];
  organizations: readonly { slug: string; name: string | null; role: Role }[];
  reports: number;
  sessions: number;
  tokens: number;
}

export interface UserFilter {
  contains?: string | undefined;
  state?: "active" | "disabled" | "operator" | undefined;
}

/** How many reports were deleted or moved. */
export interface Emptied {
  reports: number;
}

interface UserCommands {
  createUser(user: {
    email: string;
    slug: string;
    name?: string | undefined;
    plan?: Plan | undefined;
    password: string;
  }): Promise<void>;
  makePassword(): string;
  listUsers(filter: UserFilter): Promise<readonly ListedUser[]>;
  showUser(slug: string): Promise<ShownUser>;
  disableUser(slug: string): Promise<void>;
  enableUser(slug: string): Promise<void>;
  deleteUser(slug: string): Promise<Emptied>;
  grantOperator(slug: string): Promise<void>;
  revokeOperator(slug: string): Promise<void>;
  /** Returns a link that is valid once, for one hour. */
  createResetLink(slug: string): Promise<string>;
  setPassword(slug: string, password: string): Promise<void>;
  /** Signs a user out everywhere, or everyone if undefined. Returns how many sessions ended. */
  endSessions(slug: string | undefined): Promise<number>;
}

export interface ListedOrganization {
  slug: string;
  name: string | null;
  plan: Plan;
  members: number;
  storedBytes: number;
  createdAt: Instant;
}

export interface ListedMember {
  slug: string;
  name: string | null;
  email: string;
  role: Role;
  since: Instant;
}

interface OrganizationCommands {
  createOrganization(organization: {
    slug: string;
    name: string;
    ownerSlug: string;
    plan?: Plan | undefined;
  }): Promise<unknown>;
  listOrganizations(filter: { contains?: string | undefined }): Promise<readonly ListedOrganization[]>;
  showOrganization(slug: string): Promise<{ organization: ListedWorkspace; members: readonly ListedMember[] }>;
  addMember(member: { organization: string; user: string; role: Role }): Promise<void>;
  /** Sets a role; null removes the member. */
  setMember(member: { organization: string; user: string; role: Role | null }): Promise<void>;
  deleteOrganization(slug: string): Promise<Emptied>;
}

export interface ListedWorkspace {
  slug: string;
  kind: "user" | "org";
  name: string | null;
  plan: Plan;
  storedBytes: number;
  createdAt: Instant;
}

/** What a workspace contains. */
export interface WorkspaceContents {
  reports: number;
  versions: number;
  storedBytes: number;
}

interface WorkspaceCommands {
  listWorkspaces(order: { by: "storage" | "slug" }): Promise<readonly (ListedWorkspace & { quota: number })[]>;
  showWorkspace(slug: string): Promise<{ workspace: ListedWorkspace; contents: WorkspaceContents }>;
  transferReports(from: string, to: string): Promise<Emptied>;
}

/** A token as the list shows it, without its secret. */
export interface ListedToken {
  id: string;
  name: string;
  userSlug: string;
  scopes: readonly string[];
  workspaceSlug: string;
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
}

interface TokenCommands {
  createToken(token: {
    userSlug: string;
    workspaceSlug?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    expires?: string | undefined;
  }): Promise<{ id: string; token: string }>;
  /** Lists the tokens of a user, or of everyone. */
  listTokens(user: string | undefined): Promise<readonly ListedToken[]>;
  /** Revokes a token of a user, or of anyone. */
  revokeToken(user: string | undefined, id: string): Promise<void>;
}

export interface AdministerOptions {
  /** Whether the command may create the database. */
  mayInitialize?: boolean;
}

/** Opens the database, runs `work`, and closes the database. */
export type Administer = <Result>(
  work: (administration: Administration) => Promise<Result>,
  options?: AdministerOptions,
) => Promise<Result>;
