import type { Administrator } from "../model/access.ts";
import type { Instant, Role, Scope, WorkspaceKind } from "../model/entities.ts";
import type { RequestedFolder } from "../model/folders.ts";
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

/** A change of a workspace by an operator. */
export interface WorkspaceChange {
  by: Administrator;
  workspaceId: string;
}

/** A new role in an organization; null to remove the member. */
export interface MembershipChange extends WorkspaceChange {
  userId: string;
  to: Role | null;
}

/** A membership that ended. */
export interface MemberRemoval {
  userId: string;
  ownWorkspaceId: string;
}

/** How a deletion of a user went: it needs the user's own workspace to be empty, and other owners of organizations. */
export type UserDeletion =
  | { kind: "deleted"; removed: (MemberRemoval & { workspaceId: string })[] }
  | { kind: "sole owner"; soleOwnerOf: string[] }
  | { kind: "has reports" };

/** Reports that were deleted or moved, with the codes of their versions. */
export interface ChangedReports {
  itemIds: number[];
  codes: string[];
}

/** The folders, with their drawers, and the tags of a workspace. */
export interface Cabinet {
  folders: { id: string; folder: string; drawer: string | null }[];
  tags: { id: string; title: string; parentId: string | null }[];
}

/** The folders and tags of another workspace, by the ids of those that they were copied from. */
export interface CopiedCabinet {
  folders: readonly (readonly [id: string, copy: string])[];
  tags: readonly (readonly [id: string, copy: string])[];
}

export interface TokenPage {
  /** Undefined for the tokens of everyone. */
  userId: string | undefined;
  after: TokenPlace | undefined;
  limit: number;
}

/** The place of an access token in a list. */
export interface TokenPlace {
  createdAt: Instant;
  id: string;
}

/** Reads and changes of users that only operators may make. */
export interface UserAdministrationStore {
  listUsers(page: SlugPage & { state: UserState | undefined }): Promise<AdministeredUser[]>;
  findAdministeredUser(slug: string, now: Instant): Promise<AdministeredUserDetails | undefined>;
  setOperator(change: UserChange & { isOperator: boolean; now: Instant }): Promise<void>;
  /** Ends all sessions of the user, whose tokens stop working until the user is enabled. */
  disableUser(change: UserChange & { now: Instant }): Promise<void>;
  enableUser(change: UserChange & { now: Instant }): Promise<void>;
  /** Disables the user, unless they are the only owner of an organization. */
  beginUserDeletion(change: UserChange & { now: Instant }): Promise<{ soleOwnerOf: string[] }>;
  /** Deletes the user with their workspace. Their row stays, without personal data. */
  finishUserDeletion(change: UserChange & { workspaceId: string; now: Instant }): Promise<UserDeletion>;
  listAllTokens(page: TokenPage): Promise<AdministeredToken[]>;
  /** Returns the token's user; undefined if there is no such token. */
  removeAnyToken(change: { by: Administrator; id: string }): Promise<string | undefined>;
  /** Ends the sessions of one user, or of everyone. Returns how many there were. */
  endAllSessions(change: { by: Administrator; userId: string | undefined; now: Instant }): Promise<number>;
}

/** Reads and changes of workspaces that only operators may make. */
export interface WorkspaceAdministrationStore {
  listOrganizations(page: SlugPage): Promise<AdministeredOrganization[]>;
  listWorkspaces(page: {
    by: WorkspaceOrder;
    kind: WorkspaceKind | undefined;
    after: WorkspacePlace | undefined;
    limit: number;
  }): Promise<AdministeredWorkspace[]>;
  findWorkspace(slug: string): Promise<AdministeredWorkspace | undefined>;
  countContents(workspaceId: string): Promise<WorkspaceContents>;
  /** Throws `Conflict` or `NotFound`, and `Invalid` for the last owner. */
  changeMembership(change: MembershipChange & { now: Instant }): Promise<void>;
  /** Removes an organization's members, access tokens and invitations. Returns the members. */
  beginWorkspaceDeletion(change: WorkspaceChange): Promise<MemberRemoval[]>;
  /** Deletes up to `limit` reports. Returns none when none are left. */
  deleteReports(change: WorkspaceChange & { limit: number; now: Instant }): Promise<ChangedReports>;
  /** Returns false if the workspace has reports. */
  deleteEmptyWorkspace(change: WorkspaceChange): Promise<boolean>;
  listCabinet(workspaceId: string): Promise<Cabinet>;
  /** Returns the ID of the folder with these titles, which it creates if it is missing. */
  copyFolder(change: WorkspaceChange & { folder: RequestedFolder; now: Instant }): Promise<string>;
  /** Returns the ID of the tag with this title below a parent, which it creates if it is missing. */
  copyTag(
    change: WorkspaceChange & { title: string; parentId: string | null; newTagId: string; now: Instant },
  ): Promise<string>;
  /** Moves up to `limit` reports into the copied folders and tags. Returns none when none are left. */
  moveReports(
    change: WorkspaceChange & { toWorkspaceId: string; cabinet: CopiedCabinet; limit: number; now: Instant },
  ): Promise<ChangedReports>;
}

export interface AdministrationStore extends UserAdministrationStore, WorkspaceAdministrationStore {}
