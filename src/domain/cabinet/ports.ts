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
  /** The number of reports with the tag or one of its descendants. */
  subtreeCount: number;
  /** Null at the top. */
  parentId: string | null;
}

/** A workspace's drawers, folders and tags, sorted by title, with counts of the reports that a reader may read. */
export interface Taxonomy {
  drawers: CountedDrawer[];
  folders: CountedFolder[];
  tags: CountedTag[];
  defaultFolderId: string | null;
  itemCount: number;
  unfiledCount: number;
  untaggedCount: number;
}

/** A taxonomy with the number of changes to the cabinet that it includes. */
export interface ReadTaxonomy extends Taxonomy {
  changes: number;
}

/** The database access that taxonomies need. */
export interface TaxonomyStore {
  /** Returns a number that grows with every change that can show in a workspace's taxonomy. Much faster than reading it. */
  countCabinetChanges(workspaceId: string): Promise<number>;
  readTaxonomy(workspace: { workspaceId: string; reader: Reader }): Promise<ReadTaxonomy>;
}

/** IDs of the workspaces that the caller may change. Methods throw `NotFound` for anything in other workspaces. */
type Cabinets = Authorized<"modify", readonly string[]>;
type Workspace = Authorized<"modify", Membership>;

/** A new title for a drawer, folder or tag. */
export interface Renaming {
  cabinets: Cabinets;
  id: string;
  title: string;
}

/** Methods that take the ID of a drawer or folder return the ID of its workspace. */
interface DrawerStore {
  addDrawer(drawer: { workspace: Workspace; id: string; title: string; now: Instant }): Promise<void>;
  renameDrawer(change: Renaming): Promise<string>;
  /** Deletes a drawer and moves its folders to the root. */
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
  /** Deletes a folder and unfiles its reports. */
  deleteFolder(change: { cabinets: Cabinets; id: string; now: Instant }): Promise<string>;
  setDefaultFolder(change: { workspace: Workspace; folderId: string | null }): Promise<void>;
}

/** Methods that take the ID of a tag return the ID of its workspace. */
interface TagStore {
  /** Returns the id of the new tag, or of the one that has this title at this place, ignoring case. */
  addTag(tag: {
    workspace: Workspace;
    id: string;
    parentId: string | null;
    title: string;
    now: Instant;
  }): Promise<string>;
  renameTag(change: Renaming): Promise<string>;
  /** Throws `Invalid` if the tag would be its own descendant. */
  moveTag(change: { cabinets: Cabinets; id: string; parentId: string | null }): Promise<string>;
  /** Deletes a tag and its descendants. Returns how many tags were deleted. */
  deleteTag(change: { cabinets: Cabinets; id: string }): Promise<{ workspaceId: string; count: number }>;
}

/** How a call changes a report's tags: attaches tags, detaches them, or replaces all. */
export type TagMode = "add" | "remove" | "set";

/** A report that was filed, and where it was before. */
export interface FiledItem {
  itemId: number;
  from: string | null;
}

/** A report whose tags have changed. */
export interface TaggedItem {
  itemId: number;
  attached: string[];
  detached: string[];
}

/** The outcome of a batch. If something it names is missing, nothing is changed. */
export type BatchOutcome<Changed> =
  | { kind: "done"; changed: Changed[] }
  | { kind: "noItem"; itemId: number }
  | { kind: "noFolder" }
  | { kind: "noTag"; tagId: string };

interface BatchStore {
  fileItems(change: {
    batch: Authorized<"modify", ItemBatch>;
    folderId: string | null;
    now: Instant;
  }): Promise<BatchOutcome<FiledItem>>;
  tagItems(change: {
    batch: Authorized<"modify", ItemBatch>;
    mode: TagMode;
    tagIds: readonly string[];
  }): Promise<BatchOutcome<TaggedItem>>;
}

interface ShortcutOf extends Shortcut {
  workspace: Workspace;
  userId: string;
}

interface ShortcutStore {
  /** Returns shortcuts in the order they were added, without those whose target isn't in the workspace. */
  listShortcuts(of: { workspaceId: string; userId: string }): Promise<ListedShortcut[]>;
  /** Adds a shortcut unless it exists. Throws `NotFound` if the drawer, folder or tag isn't in the workspace. */
  addShortcut(shortcut: ShortcutOf & { now: Instant }): Promise<void>;
  /** Returns whether the shortcut existed. */
  removeShortcut(shortcut: ShortcutOf): Promise<boolean>;
}

export interface ListedShortcut extends Shortcut {
  title: string;
  /** The version that a shortcut to a report shows, for the access check. */
  found: VersionOfItem | undefined;
}

/** The database access of this capability. */
export interface CabinetStore extends TaxonomyStore, DrawerStore, TagStore, ShortcutStore, BatchStore {}
