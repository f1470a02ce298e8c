import type { Plan } from "./plans.ts";
import type { StorageMode } from "./storage-mode.ts";

export const VISIBILITIES = ["public", "private", "org"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** Who can read the new reports of an organization by default. */
export const DEFAULT_VISIBILITIES = ["private", "org"] as const satisfies readonly Visibility[];
export type DefaultVisibility = (typeof DEFAULT_VISIBILITIES)[number];

export const ROLES = ["owner", "admin", "member"] as const;
export type Role = (typeof ROLES)[number];

/** Roles that an invitation can grant. */
export const INVITED_ROLES = ["member", "admin"] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

export const SCOPES = ["reports:read", "reports:write", "reports:delete"] as const;
export type Scope = (typeof SCOPES)[number];

export type WorkspaceKind = "user" | "org";

/** Parts of a workspace whose changes its members are notified of. */
export const WORKSPACE_PARTS = ["cabinet", "items", "members", "settings", "shortcuts"] as const;
export type WorkspacePart = (typeof WORKSPACE_PARTS)[number];

export const SHORTCUT_KINDS = ["drawer", "folder", "tag", "group", "report"] as const;
export type ShortcutKind = (typeof SHORTCUT_KINDS)[number];

/** Milliseconds since 1970-01-01 UTC. */
export type Instant = number;

export interface Workspace {
  id: string;
  slug: string;
  kind: WorkspaceKind;
  displayName: string | null;
  plan: Plan;
}

export interface Membership extends Workspace {
  role: Role;
}

/** A user who reads in a workspace, with their role there. */
export interface Reader {
  userId: string;
  role: Role;
}

/** A person for whom a report is looked up. */
export type Person = Pick<Caller, "userId" | "verifiedEmail">;

/** The user who sent a request, with their credential's permissions and their workspaces. */
export interface Caller {
  userId: string;
  /** The email address that the user is known to own; null if they only claim one. */
  verifiedEmail: string | null;
  /** The workspace that this credential publishes to. */
  workspace: Membership;
  memberships: readonly Membership[];
  scopes: ReadonlySet<Scope>;
  /** The key that rate limits count by. */
  credentialId: string;
  /** Whether the caller may administer the server: a session of an operator may, an access token never. */
  isOperator: boolean;
}

/** A report, which has one or more versions. The name of an unnamed report is null. */
export interface Item {
  id: number;
  workspaceId: string;
  creatorId: string;
  name: string | null;
  visibility: Visibility;
  /** The only organization that a person's report is shared with; null for all of theirs. */
  organizationId: string | null;
  currentCode: string;
  folderId: string | null;
  folderChangedAt: Instant | null;
  /** The title that someone gave the report; null if it has that of its current version. */
  displayTitle: string | null;
  createdAt: Instant;
  updatedAt: Instant;
}

export interface Version {
  code: string;
  creatorId: string;
  versionNo: number;
  /** The title that was supplied with it or that its document has. */
  title: string;
  visibility: Visibility;
  storage: StorageMode;
  createdAt: Instant;
}

export interface Folder {
  id: string;
  title: string;
  drawerId: string | null;
  drawerTitle: string | null;
}

export interface Tag {
  id: string;
  title: string;
}

/** A user's shortcut. `ref` is an ID, the name of a report or the code of a version. */
export interface Shortcut {
  kind: ShortcutKind;
  ref: string;
}
