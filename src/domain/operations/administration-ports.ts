import type { Administrator } from "../model/access.ts";
import type { Instant, Role, Scope, WorkspaceKind } from "../model/entities.ts";
import type { Plan } from "../model/plans.ts";

export const USER_STATES = ["active", "disabled", "operator"] as const;
export type UserState = (typeof USER_STATES)[number];

/** Selects a page of a list sorted by slug. */
export interface SlugPage {
  /** Text that occurs in the slug, the name or the email address, in any case. */
  contains: string | undefined;
  /** Starts after this slug. */
  after: string | undefined;
  limit: number;
}

/** A user as operators see them in a list. */
export interface AdministeredUser {
  id: string;
  slug: string;
  email: string;
  name: string | null;
  isOperator: boolean;
  /** When an operator disabled the user, or null. */
  disabledAt: Instant | null;
  plan: Plan;
  /** Bytes in the user's own workspace. */
  storedBytes: number;
  /** When the user last signed in or used an access token; null if not known. */
  lastSeenAt: Instant | null;
  createdAt: Instant;
}

/** A user with what belongs to them. */
export interface AdministeredUserDetails extends AdministeredUser {
  workspaceId: string;
  hasPassword: boolean;
  /** The identity providers with which the user can sign in. */
  issuers: string[];
  organizations: { slug: string; name: string | null; role: Role }[];
  /** Reports in the user's own workspace. */
  reports: number;
  sessions: number;
  tokens: number;
}

/** An organization as operators see it in a list. */
export interface AdministeredOrganization {
  id: string;
  slug: string;
  name: string | null;
  plan: Plan;
  members: number;
  storedBytes: number;
  createdAt: Instant;
}

export const WORKSPACE_ORDERS = ["storage", "slug"] as const;
export type WorkspaceOrder = (typeof WORKSPACE_ORDERS)[number];

/** The place of a workspace in a list. */
export interface WorkspacePlace {
  slug: string;
  storedBytes: number;
}

/** A workspace as operators see it in a list. */
export interface AdministeredWorkspace extends WorkspacePlace {
  id: string;
  kind: WorkspaceKind;
  name: string | null;
  plan: Plan;
  createdAt: Instant;
}

/** What a workspace contains. */
export interface WorkspaceContents {
  reports: number;
  versions: number;
  storedBytes: number;
}

/** An access token as operators see it in a list, without its secret. */
export interface AdministeredToken {
  id: string;
  name: string;
  userSlug: string;
  workspaceSlug: string;
  scopes: Scope[];
  createdAt: Instant;
  expiresAt: Instant | null;
  lastUsedAt: Instant | null;
}

/** A change of a user by an operator. */
export interface UserChange {
  by: Administrator;
  userId: string;
}

/** Reads and changes that only operators may make. Lists may take long. */
export interface AdministrationStore {
  listUsers(page: SlugPage & { state: UserState | undefined }): Promise<AdministeredUser[]>;
  findAdministeredUser(slug: string, now: Instant): Promise<AdministeredUserDetails | undefined>;
  setOperator(change: UserChange & { isOperator: boolean; now: Instant }): Promise<void>;
  /** Ends all sessions of the user, whose tokens stop working until the user is enabled. */
  disableUser(change: UserChange & { now: Instant }): Promise<void>;
  enableUser(change: UserChange & { now: Instant }): Promise<void>;
  listOrganizations(page: SlugPage): Promise<AdministeredOrganization[]>;
  listWorkspaces(page: {
    by: WorkspaceOrder;
    kind: WorkspaceKind | undefined;
    after: WorkspacePlace | undefined;
    limit: number;
  }): Promise<AdministeredWorkspace[]>;
  findWorkspace(slug: string): Promise<AdministeredWorkspace | undefined>;
  countContents(workspaceId: string): Promise<WorkspaceContents>;
}
