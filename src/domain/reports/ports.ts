import type { Authorized, Deletion, ItemBatch, VersionOfItem } from "../model/access.ts";
import type { Folder, Instant, Item, Membership, Reader, Tag, Version, Visibility } from "../model/entities.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import type { FileEntry } from "../model/files.ts";
import type { WantedFolder } from "../model/folders.ts";
import type { StorageMode } from "../model/storage-mode.ts";

export interface ItemStore {
  /** A group with its current version. */
  findGroup(name: string): Promise<VersionOfItem | undefined>;
  /**
   * The same with its newest versions, all as they were at one moment; undefined as well where the group is not wanted.
   * Versions of such a one are not even read: how long that takes would tell that it exists.
   */
  findGroupWithVersions(
    name: string,
    limit: number,
    isWanted: (found: VersionOfItem) => boolean,
  ): Promise<{ found: VersionOfItem; versions: Version[] } | undefined>;
  findVersion(code: string): Promise<VersionOfItem | undefined>;
  /** Up to `limit` versions, those with a number below `beforeNo` where that is given, newest first. */
  listVersions(page: { itemId: number; beforeNo: number | undefined; limit: number }): Promise<Version[]>;
  findFolder(folderId: string): Promise<Folder | undefined>;
  listTags(itemId: number): Promise<Tag[]>;
  /** Throws `Conflict` when the new name is taken, `NotFound` when the item is gone. */
  rename(change: { item: Authorized<"modify", Item>; newName: string; now: Instant }): Promise<void>;
  /** Throws `Invalid` when the version is gone or not of this item, `Conflict` when another code is expected. */
  setLatest(change: {
    item: Authorized<"modify", Item>;
    code: string;
    expectedCode: ExpectedCode;
    reader: Reader;
    now: Instant;
  }): Promise<void>;
  /** Codes of the versions that were deleted with the group. */
  deleteItem(change: { item: Authorized<"control", Item>; now: Instant }): Promise<string[]>;
  /** Whether the version was still there. The last version takes its item along. */
  deleteVersion(change: { found: Authorized<"control", VersionOfItem>; now: Instant }): Promise<boolean>;
  /** Sets an item and all its versions; returns the versions' codes. */
  setItemVisibility(change: {
    item: Authorized<"control", Item>;
    visibility: Visibility;
    now: Instant;
  }): Promise<string[]>;
  /** Sets one version; a standalone report's item follows it. */
  setVersionVisibility(change: {
    found: Authorized<"control", VersionOfItem>;
    visibility: Visibility;
    now: Instant;
  }): Promise<void>;
  /** Files an item by titles, making drawer and folder where they are missing; null unfiles. */
  setFolder(change: { item: Authorized<"modify", Item>; folder: WantedFolder | null; now: Instant }): Promise<void>;
}
/** One line of the list: an item the caller may read, with its current version. */
export interface ListedItem {
  id: number;
  name: string | null;
  ownerSlug: string;
  code: string;
  title: string;
  versionCount: number;
  visibility: Visibility;
  currentVisibility: Visibility;
  /** Of the current version. */
  storage: StorageMode;
  folderId: string | null;
  folderTitle: string | null;
  drawerTitle: string | null;
  createdAt: Instant;
}
export interface ListStore {
  /** Up to `limit` items of one workspace that its member may read, with an id below `beforeId`, newest first. */
  listItems(page: {
    userId: string;
    membership: Membership;
    kind: "group" | "report";
    beforeId: number | undefined;
    limit: number;
  }): Promise<ListedItem[]>;
}
/** What serving needs to know of a version; `visibility` is the part that can change. */
export interface ServedVersion {
  visibility: Visibility;
  files: readonly FileEntry[];
  /** Pages with a stand-in for storage. */
  standIns: readonly FileEntry[];
}
/** What serving files asks of the database. */
export interface ServeStore {
  findServed(code: string): Promise<ServedVersion | undefined>;
  findVisibility(code: string): Promise<Visibility | undefined>;
}

/** Versions' codes, and ids of their items. */
export interface DeletedItems {
  itemIds: number[];
  codes: string[];
}
/** Deletions that can be undone until they expire; the objects of their versions are kept that long. */
export interface DeletionStore {
  /** Undefined when it is not known, or no longer. */
  findDeletion(id: string): Promise<Deletion | undefined>;
  /** Deletes all items, or none when one of them is gone; then that one's id is `missing`. */
  deleteItems(change: {
    batch: Authorized<"control", ItemBatch>;
    id: string;
    expiresAt: Instant;
    now: Instant;
  }): Promise<{ missing: number } | DeletedItems>;
  /**
   * Brings back everything that was deleted. Throws `NotFound` when the deletion has expired or was undone, `Conflict`
   * when a name is taken again, and `QuotaFull`; then nothing is restored.
   */
  restoreItems(change: {
    deletion: Authorized<"control", Deletion>;
    /** Bytes that the workspace may hold. */
    quota: number;
    now: Instant;
  }): Promise<DeletedItems>;
}

/** A version with what its line in a list of versions says. */
export interface DetailedVersion extends Version {
  /** Bytes of all files. */
  size: number;
  fileCount: number;
  creator: { slug: string; displayName: string | null } | null;
}
/** Versions of an item that a member of its workspace may read. */
export interface DetailStore {
  countReadableVersions(sought: { itemId: number; reader: Reader }): Promise<number>;
  /** Up to `limit`, those with a number below `beforeNo` where that is given, newest first. */
  listReadableVersions(page: {
    itemId: number;
    reader: Reader;
    beforeNo: number | undefined;
    limit: number;
  }): Promise<DetailedVersion[]>;
}

/** Finds many items at once. */
export interface ItemFinder {
  /** The groups of these names, each with its current version. */
  findGroups(names: readonly string[]): Promise<VersionOfItem[]>;
  /** The versions of these codes. */
  findVersions(codes: readonly string[]): Promise<VersionOfItem[]>;
  /** The items that these are versions of, each with its current version. */
  findItemsOf(codes: readonly string[]): Promise<VersionOfItem[]>;
}

/** What the rules about reports ask of the database. */
export interface ReportStore extends ItemStore, ItemFinder, DeletionStore, DetailStore, ListStore, ServeStore {}
