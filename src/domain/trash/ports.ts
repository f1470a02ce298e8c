import type { Authorized, Deletion, ItemBatch, TrashedItem, TrashView, VersionOfItem } from "../model/access.ts";
import type { Instant, Item, Membership } from "../model/entities.ts";

/** What moved something to the trash: a person, or a retention rule. */
export type DeletionReason = "user" | "retention";

/** A change of reports: their IDs, and the codes of the versions concerned. */
export interface ChangedItems {
  itemIds: number[];
  codes: string[];
}

/** Where deleted things go. */
export interface TrashBin {
  /** The ID with which everything is restored that one call deletes. */
  batchId: string;
  /** An ID for each report or version. */
  ids: readonly string[];
  expiresAt: Instant;
  /** Bytes that the workspace's trash may hold. */
  allowance: number;
}

/** A deletion. */
export interface Disposal {
  /** Undefined deletes permanently. */
  bin: TrashBin | undefined;
  userId: string;
  now: Instant;
}

/** What keeps a report from being deleted: its own protection, or that of one of its versions. */
export interface ProtectedThing {
  itemId: number;
  /** The report's name; null if it has none. */
  name: string | null;
  versionNo: number | undefined;
}

export interface DisposedItems extends ChangedItems {
  /** The codes of versions that have left the trash, or never got there, so that their objects can be deleted. */
  purged: string[];
}

/** A report or version in the trash. */
export interface TrashEntry extends TrashedItem {
  kind: "report" | "version";
  reason: DeletionReason;
  /** Who deleted it; null if a retention rule did or the account was deleted. */
  deletedBy: { slug: string; displayName: string | null } | null;
  name: string | null;
  code: string;
  title: string;
  versionNo: number | null;
  versions: number;
  size: number;
  deletedAt: Instant;
  expiresAt: Instant;
  /** A free name to restore the report under, because its own is taken; null if it isn't. */
  freeName: string | null;
}

/** The last entry of a page. The next page begins after it. */
export interface TrashPlace {
  deletedAt: Instant;
  id: string;
}

export interface Restored {
  id: string;
  kind: "report" | "version";
  itemId: number;
  name: string | null;
  code: string;
}

/** What to restore: all that one call deleted, or some entries. */
export type RestoreRequest =
  | { undo: Authorized<"control", Deletion> }
  | { entries: readonly Authorized<"control", TrashedItem>[] };

export interface DeletionStore {
  /** Deletes a report, or returns what keeps it. Throws `NotFound` if it no longer exists. */
  deleteItem(
    change: Disposal & { item: Authorized<"control", Item> },
  ): Promise<{ protected: ProtectedThing } | DisposedItems>;
  /** Deletes a version, and its report if it has no other. Undefined if the version doesn't exist. */
  deleteVersion(
    change: Disposal & { found: Authorized<"control", VersionOfItem> },
  ): Promise<{ protected: ProtectedThing } | DisposedItems | undefined>;
  /** Deletes all reports. If one is missing or protected, deletes none and returns it. */
  deleteItems(
    change: Disposal & { batch: Authorized<"control", ItemBatch> },
  ): Promise<{ missing: number } | { protected: ProtectedThing } | DisposedItems>;
}

export interface TrashStore extends DeletionStore {
  /** Returns a deletion; undefined if it is unknown or has expired. */
  findDeletion(id: string): Promise<Deletion | undefined>;
  /** Returns those of the entries that exist. */
  findTrashed(ids: readonly string[]): Promise<TrashedItem[]>;
  /** Returns up to `limit` entries, the last deleted first. */
  listTrash(page: {
    view: Authorized<"control", TrashView>;
    /** Only what was deleted with this name. */
    name: string | undefined;
    /** Only what contains the version with this code. */
    code: string | undefined;
    after: TrashPlace | undefined;
    limit: number;
  }): Promise<TrashEntry[]>;
  /** Returns the number of bytes in a workspace's trash. */
  measureTrash(workspaceId: string): Promise<number>;
  /**
   * Restores everything or, if it throws, nothing: `NotFound` if an entry has expired or was restored, `Conflict` if a
   * name is taken or the report of a version doesn't exist, or `QuotaFull`.
   */
  restoreTrash(
    change: RestoreRequest & {
      /** A new name for the only report. */
      newName: string | undefined;
      /** Bytes that the workspace may store. */
      quota: number;
      now: Instant;
    },
  ): Promise<ChangedItems & { restored: Restored[] }>;
  /** Deletes entries permanently. Returns the versions whose objects can be deleted. */
  purgeTrash(change: {
    entries: readonly Authorized<"control", TrashedItem>[];
  }): Promise<ChangedItems & { entries: number }>;
  /** Deletes up to `limit` entries permanently that were deleted by `until`. Returns 0 entries when none are left. */
  emptyTrash(change: {
    view: Authorized<"control", TrashView>;
    until: Instant;
    limit: number;
  }): Promise<ChangedItems & { entries: number }>;
  /** Deletes up to `limit` expired entries permanently. Returns 0 entries when none are left. */
  purgeExpired(change: { now: Instant; limit: number }): Promise<ChangedItems & { entries: number }>;
  /** Protects a report, or ends its protection. */
  protectItem(change: { item: Authorized<"control", Item>; isProtected: boolean; now: Instant }): Promise<void>;
  /** Protects a version, or ends its protection. */
  protectVersion(change: {
    found: Authorized<"control", VersionOfItem>;
    isProtected: boolean;
    now: Instant;
  }): Promise<void>;
}

/** What a retention rule is for. */
export type RetentionPlace = { kind: "workspace" } | { kind: "folder"; id: string } | { kind: "tag"; id: string };

/** Keeps the newest `keep` versions of a report and those younger than `days`; null sets no such limit. */
export interface RetentionLimits {
  keep: number | null;
  days: number | null;
}

export interface RetentionRule extends RetentionLimits {
  place: RetentionPlace;
  /** The title of the folder or tag; null for the workspace. */
  title: string | null;
  setBy: { slug: string; displayName: string | null } | null;
  setAt: Instant;
}

/** A version that retention rules no longer keep. */
export interface DueVersion {
  itemId: number;
  name: string | null;
  code: string;
  title: string;
  versionNo: number;
  size: number;
  createdAt: Instant;
}

/** The last version that was looked at. */
export interface DuePlace {
  itemId: number;
  versionNo: number;
}

/** A rule with what it is for, in the form in which the store takes it. */
export interface PlannedRule extends RetentionLimits {
  place: RetentionPlace;
}

export interface DueQuery {
  workspaceId: string;
  after: DuePlace;
  limit: number;
  now: Instant;
}

export interface DuePage {
  due: DueVersion[];
  next: DuePlace | undefined;
}

export interface RetentionStore {
  listRetention(workspaceId: string): Promise<RetentionRule[]>;
  /** Sets the rule of a place. Returns false if the workspace has no such folder or tag. */
  setRetention(
    change: { workspace: Authorized<"control", Membership>; userId: string; id: string; now: Instant } & PlannedRule,
  ): Promise<boolean>;
  /** Returns whether the workspace has this folder or tag. */
  hasRetentionPlace(of: { workspace: Authorized<"control", Membership>; place: RetentionPlace }): Promise<boolean>;
  /** Removes the rule of a place. Returns whether it had one. */
  removeRetention(change: { workspace: Authorized<"control", Membership>; place: RetentionPlace }): Promise<boolean>;
  /** Returns workspaces that have rules, in order, starting after `after`. */
  listRetained(page: { after: string; limit: number }): Promise<{ id: string; plan: Membership["plan"] }[]>;
  /**
   * Returns up to `limit` versions that rules no longer keep, by report and number, and where to continue; `next` is
   * undefined at the end.
   */
  findDueVersions(query: DueQuery): Promise<DuePage>;
  /** Finds due versions by rules that aren't set yet, and only in reports to which the rule of the place `only` applies. */
  previewRetention(query: DueQuery & { rules: readonly PlannedRule[]; only: RetentionPlace }): Promise<DuePage>;
  /** Deletes those of the versions that the rules of the workspace don't keep now. */
  applyRetention(
    change: Pick<Disposal, "now" | "bin"> & { workspaceId: string; codes: readonly string[] },
  ): Promise<DisposedItems>;
}
