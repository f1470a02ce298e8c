import type { VersionReader as VersionFinder } from "../live/ports.ts";
import type { Authorized, Deletion, FoundVersion, ItemBatch, VersionOfItem } from "../model/access.ts";
import type {
  Folder,
  Instant,
  Item,
  Membership,
  Person,
  Reader,
  Role,
  Tag,
  Version,
  Visibility,
} from "../model/entities.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import type { FileEntry } from "../model/files.ts";
import type { RequestedFolder } from "../model/folders.ts";
import type { StorageMode } from "../model/storage-mode.ts";

export interface ItemStore extends VersionFinder {
  /** Returns a named report with its current version, and how it is shared with the person, if there is one. */
  findNamedReport(name: string, person?: Person): Promise<VersionOfItem | undefined>;
  /**
   * Returns a named report with up to `limit` newest versions, from one snapshot. Returns undefined without reading the
   * versions if `isReadable` returns false, because the time to read them would reveal that the report exists.
   */
  findNamedReportWithVersions(
    name: string,
    limit: number,
    isReadable: (found: VersionOfItem) => boolean,
    person?: Person,
  ): Promise<{ found: VersionOfItem; versions: FoundVersion[] } | undefined>;
  findFolder(folderId: string): Promise<Folder | undefined>;
  listTags(itemId: number): Promise<Tag[]>;
  /** Throws `Conflict` if the new name is taken, and `NotFound` if the report was deleted. */
  rename(change: { item: Authorized<"modify", Item>; newName: string; now: Instant }): Promise<void>;
  /** Throws `Invalid` if the report has no such version, and `Conflict` if the current code isn't the expected one. */
  rollBack(change: {
    item: Authorized<"modify", Item>;
    code: string;
    expectedCode: ExpectedCode;
    reader: Reader;
    now: Instant;
  }): Promise<void>;
  /** Deletes a report with its versions. Returns their codes. */
  deleteItem(change: { item: Authorized<"control", Item>; now: Instant }): Promise<string[]>;
  /** Deletes a version, and its report if it has no other. Returns whether the version existed. */
  deleteVersion(change: { found: Authorized<"control", VersionOfItem>; now: Instant }): Promise<boolean>;
  /** Sets the visibility of a report and all its versions. Returns the versions' codes. */
  setItemVisibility(change: {
    item: Authorized<"control", Item>;
    visibility: Visibility;
    /** The only organization that it is shared with; null for all, or if it isn't shared with one. */
    organizationId: string | null;
    now: Instant;
  }): Promise<string[]>;
  /** Sets the visibility of one version, and of its report if that has no name. */
  setVersionVisibility(change: {
    found: Authorized<"control", VersionOfItem>;
    visibility: Visibility;
    organizationId: string | null;
    now: Instant;
  }): Promise<void>;
  /** Sets the storage of a report's versions, later ones included. Returns the codes of those that exist. */
  setItemStorage(change: { item: Authorized<"control", Item>; storage: StorageMode; now: Instant }): Promise<string[]>;
  /** Sets the storage of one version. */
  setVersionStorage(change: {
    found: Authorized<"control", VersionOfItem>;
    storage: StorageMode;
    now: Instant;
  }): Promise<void>;
  /** Sets the title that a report is shown with; null for that of its current version. */
  setTitle(change: { item: Authorized<"modify", Item>; title: string | null; now: Instant }): Promise<void>;
  /** Files a report by titles, and creates a missing drawer or folder; null unfiles it. */
  setFolder(change: { item: Authorized<"modify", Item>; folder: RequestedFolder | null; now: Instant }): Promise<void>;
}
/** A report in the list, with its current version. */
export interface ListedItem {
  id: number;
  name: string | null;
  ownerSlug: string;
  code: string;
  title: string;
  versionCount: number;
  visibility: Visibility;
  currentVisibility: Visibility;
  /** The storage mode of the current version. */
  storage: StorageMode;
  folderId: string | null;
  folderTitle: string | null;
  drawerTitle: string | null;
  /** The digest of the current version's thumbnail; null if it has none. */
  thumbnail: string | null;
  createdAt: Instant;
}
/** A sample report with its current version. */
export interface SampleItem {
  /** Which of them it is. */
  sample: string;
  name: string | null;
  code: string;
  title: string;
}
export interface ListStore {
  /** Returns the sample reports that a user has added to a workspace, oldest first. */
  listSamples(of: { workspaceId: string; userId: string }): Promise<SampleItem[]>;
  /** Returns up to `limit` reports of a workspace that a member may read, newest first, with an ID below `beforeId`. */
  listItems(page: {
    userId: string;
    membership: Membership;
    kind: "group" | "report";
    beforeId: number | undefined;
    limit: number;
  }): Promise<ListedItem[]>;
}
/** What can change of a served version. */
export interface ServedState {
  visibility: Visibility;
  storage: StorageMode;
}
/** What serving a version's files requires. */
export interface ServedVersion extends ServedState {
  files: readonly FileEntry[];
  /** The pages of which a form with browser storage in memory was stored at the publish. */
  standIns: readonly FileEntry[];
}
/** Reads what serving files requires. */
export interface ServeStore {
  findServed(code: string): Promise<ServedVersion | undefined>;
  findServedState(code: string): Promise<ServedState | undefined>;
}

/** The IDs of deleted reports and the codes of their versions. */
export interface DeletedItems {
  itemIds: number[];
  codes: string[];
}
/** Access to deletions. Until they expire, they can be undone and the objects of their versions are kept. */
export interface DeletionStore {
  /** Returns a deletion; undefined if it is unknown or has expired. */
  findDeletion(id: string): Promise<Deletion | undefined>;
  /** Deletes all reports. If one is missing, deletes none and returns its ID as `missing`. */
  deleteItems(change: {
    batch: Authorized<"control", ItemBatch>;
    id: string;
    expiresAt: Instant;
    now: Instant;
  }): Promise<{ missing: number } | DeletedItems>;
  /**
   * Restores all reports of a deletion, or none if it throws: `NotFound` if the deletion has expired or was undone,
   * `Conflict` if a name was taken meanwhile, or `QuotaFull`.
   */
  restoreItems(change: {
    deletion: Authorized<"control", Deletion>;
    /** Bytes that the workspace may store. */
    quota: number;
    now: Instant;
  }): Promise<DeletedItems>;
}

/** What was said about a version when it was published. */
export interface VersionRemarks {
  /** What its publisher says has changed; null for nothing. */
  note: string | null;
  warnings: string[];
}
/** A version with its details for a list. */
export interface DetailedVersion extends Version, Pick<VersionRemarks, "note"> {
  /** Bytes of all files. */
  size: number;
  fileCount: number;
  /** The digest of its thumbnail; null if it has none. */
  thumbnail: string | null;
  creator: { slug: string; displayName: string | null } | null;
}
/** A person who may see a report. */
export interface VersionReader extends Person {
  /** Null for people who are not members of its workspace. */
  role: Role | null;
}
/** Reads the versions of a report that a person may read. */
export interface DetailStore {
  countReadableVersions(of: { itemId: number; reader: VersionReader }): Promise<number>;
  /** Returns up to `limit` versions, newest first, starting below `beforeNo` if it is defined. */
  listReadableVersions(page: {
    itemId: number;
    reader: VersionReader;
    beforeNo: number | undefined;
    limit: number;
  }): Promise<DetailedVersion[]>;
  findRemarks(code: string): Promise<VersionRemarks | undefined>;
}

export interface ThumbnailFinder {
  /** Returns those of the codes that have a thumbnail. */
  findThumbnailed(codes: readonly string[]): Promise<string[]>;
}

/** Finds many reports at once, with how they are shared with the person, if there is one. */
export interface ItemFinder {
  /** Returns the reports with these names, each with its current version. */
  findNamedReports(names: readonly string[], person?: Person): Promise<VersionOfItem[]>;
  /** Returns the versions with these codes. */
  findVersions(codes: readonly string[], person?: Person): Promise<VersionOfItem[]>;
  /** Returns the reports that have versions with these codes, each with its current version. */
  findItemsOf(codes: readonly string[], person?: Person): Promise<VersionOfItem[]>;
}

/** The database access of this capability. */
export interface ReportStore extends ItemStore, ItemFinder, DeletionStore, DetailStore, ListStore, ServeStore {}
