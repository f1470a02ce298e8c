import type { Authorized, ItemBatch, VersionOfItem } from "../model/access.ts";
import type { Instant, Membership, Reader, Shortcut } from "../model/entities.ts";

export interface CountedDrawer {
  id: string;
  title: string;
  itemCount: number;
}

export interface CountedFolder extends CountedDrawer {
  /** Null at the root. */
  drawerId: string | null;
}

export interface CountedTag extends CountedDrawer {
  /** Null at the top. */
  parentId: string | null;
}

/** A workspace's cabinet and tags, each by title, with counts of what a reader may read. */
export interface Taxonomy {
  drawers: CountedDrawer[];
  folders: CountedFolder[];
  tags: CountedTag[];
  defaultFolderId: string | null;
  itemCount: number;
  unfiledCount: number;
  untaggedCount: number;
}

/** Ids of workspaces that the caller may change; what is in others is not found. */
type Cabinets = Authorized<"modify", readonly string[]>;
type Workspace = Authorized<"modify", Membership>;

/** A new title of something. */
export interface Renaming {
  cabinets: Cabinets;
  id: string;
  title: string;
}

/** Calls that name a record by its id return the id of the workspace that it is in. */
interface DrawerStore {
  readTaxonomy(workspace: { workspaceId: string; reader: Reader }): Promise<Taxonomy>;
  addDrawer(drawer: { workspace: Workspace; id: string; title: string; now: Instant }): Promise<void>;
  renameDrawer(change: Renaming): Promise<string>;
  /** Moves its folders to the root. */
  deleteDrawer(change: { cabinets: Cabinets; id: string }): Promise<string>;
  addFolder(folder: {
    workspace: Workspace;
    id: string;
    drawerId: string | null;
    title: string;
    now: Instant;
  }): Promise<void>;
  renameFolder(change: Renaming): Promise<string>;
  moveFolder(change: { cabinets: Cabinets; id: string; drawerId: string | null }): Promise<string>;
  /** Unfiles what is in it. */
  deleteFolder(change: { cabinets: Cabinets; id: string; now: Instant }): Promise<string>;
  setDefaultFolder(change: { workspace: Workspace; folderId: string | null }): Promise<void>;
}

/** Likewise. */
interface TagStore {
  addTag(tag: {
    workspace: Workspace;
    id: string;
    parentId: string | null;
    title: string;
    now: Instant;
  }): Promise<void>;
  renameTag(change: Renaming): Promise<string>;
  /** Throws `Invalid` where the tag would come to be under itself. */
  moveTag(change: { cabinets: Cabinets; id: string; parentId: string | null }): Promise<string>;
  /** Removes a tag with all below it; says how many they were. */
  deleteTag(change: { cabinets: Cabinets; id: string }): Promise<{ workspaceId: string; count: number }>;
}

/** How tags are put on items: attached, detached, or instead of those they have. */
export type TagMode = "add" | "remove" | "set";

/** A batch was done as a whole, or one of the things it names was not there and nothing has been changed. */
export type BatchOutcome =
  | { kind: "done"; changedIds: number[] }
  | { kind: "noItem"; itemId: number }
  | { kind: "noFolder" }
  | { kind: "noTag"; tagId: string };

interface BatchStore {
  fileItems(change: {
    batch: Authorized<"modify", ItemBatch>;
    folderId: string | null;
    now: Instant;
  }): Promise<BatchOutcome>;
  tagItems(change: {
    batch: Authorized<"modify", ItemBatch>;
    mode: TagMode;
    tagIds: readonly string[];
  }): Promise<BatchOutcome>;
}

interface ShortcutOf extends Shortcut {
  workspace: Workspace;
  userId: string;
}

interface ShortcutStore {
  /** In the order in which they were added; those whose target is not in the workspace are left out. */
  listShortcuts(of: { workspaceId: string; userId: string }): Promise<ListedShortcut[]>;
  /** Adding one again changes nothing. Throws `NotFound` when the drawer, folder or tag is not in the workspace. */
  addShortcut(shortcut: ShortcutOf & { now: Instant }): Promise<void>;
  /** Whether there was one. */
  removeShortcut(shortcut: ShortcutOf): Promise<boolean>;
}

export interface ListedShortcut extends Shortcut {
  title: string;
  /** What a group or report shows, for the rule of who may read. */
  found: VersionOfItem | undefined;
}

/** What the rules about the cabinet ask of the database. */
export interface CabinetStore extends DrawerStore, TagStore, ShortcutStore, BatchStore {}
