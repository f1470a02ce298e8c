import type { Plan } from "./plans.ts";
import type { StorageMode } from "./storage-mode.ts";

export const VISIBILITIES = ["public", "private", "org"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

export const ROLES = ["owner", "admin", "member"] as const;
export type Role = (typeof ROLES)[number];

/** As what somebody can be invited. */
export const INVITED_ROLES = ["member", "admin"] as const satisfies readonly Role[];
export type InvitedRole = (typeof INVITED_ROLES)[number];

export const SCOPES = ["reports:read", "reports:write", "reports:delete"] as const;
export type Scope = (typeof SCOPES)[number];

export type WorkspaceKind = "user" | "org";

/** What can change of a workspace, as far as the people in it see it. */
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

/** Who reads in a workspace, and as what. */
export interface Reader {
  userId: string;
  role: Role;
}

/** Who is asking: a user, what the credential allows, and the workspaces that the user belongs to. */
export interface Caller {
  userId: string;
  /** The workspace into which this credential uploads. */
  workspace: Membership;
  memberships: readonly Membership[];
  scopes: ReadonlySet<Scope>;
  /** What rate limits are counted by. */
  credentialId: string;
}

/** A filed thing: a group of versions, or a standalone report, which is an item without a name. */
export interface Item {
  id: number;
  workspaceId: string;
  creatorId: string;
  name: string | null;
  visibility: Visibility;
  currentCode: string;
  folderId: string | null;
  folderChangedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
}

export interface Version {
  code: string;
  creatorId: string;
  versionNo: number;
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

/** What somebody keeps at hand: an id, a group's name or a report's code. */
export interface Shortcut {
  kind: ShortcutKind;
  ref: string;
}
