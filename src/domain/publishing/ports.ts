import type { VersionOfItem } from "../model/access.ts";
import type { Instant, Person, Visibility } from "../model/entities.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import type { FileEntry } from "../model/files.ts";
import type { RequestedFolder } from "../model/folders.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { AddressedThreads } from "../reviews/addressing.ts";

/** Recognizes a repeated request by its `Idempotency-Key` and its sender. */
export interface RequestKey {
  userId: string;
  /** The credential's workspace. */
  workspaceId: string;
  key: string;
  /** The fingerprint of the whole request, so that a different one with the same key is refused. */
  fingerprint: string;
}
/** A new version, stored in one transaction. */
export interface Publication {
  code: string;
  name: string | undefined;
  expectedCode: ExpectedCode;
  title: string;
  /** What its publisher says has changed. */
  note: string | undefined;
  visibility: Visibility;
  /** Undefined for that of the report. */
  storage: StorageMode | undefined;
  /** Which of the sample reports this is; undefined for others. */
  sample: string | undefined;
  /** Where to file a new report; null for unfiled, undefined for the workspace's default folder. */
  folder: RequestedFolder | null | undefined;
  files: readonly FileEntry[];
  /** Pages with browser storage in memory; undefined for a version without them. */
  standIns: readonly FileEntry[] | undefined;
  /** Bytes of all files. */
  size: number;
  /** Warnings about the documents. */
  warnings: readonly string[];
  /** Warnings to keep with a new version whose report differs from what the publication asks for. */
  ignored: IgnoredDetails;
  workspaceId: string;
  userId: string;
  mayGovern: boolean;
  quota: number;
  allowsRevisions: boolean;
  /** Undefined for a request without a key, which counts as new each time it is sent. */
  request: (RequestKey & { expiresAt: Instant }) | undefined;
  /** Threads of the report that the version addresses. */
  addressed: AddressedThreads | undefined;
  now: Instant;
}
/** The warning about each detail that a new version would ignore. */
export interface IgnoredDetails {
  /** By the visibility of the report. */
  visibility: Partial<Readonly<Record<Visibility, string>>>;
  folder: string | undefined;
}
/** The workspace and the report that an upload is for. */
export interface UploadTarget {
  /** Bytes that the workspace uses of its quota. */
  storedBytes: number;
  /** The visibility of new reports whose upload names none; null for private ones. */
  defaultVisibility: Visibility | null;
  /** The storage of new versions of the named report whose upload names none; null for none. */
  storage: StorageMode | null;
}
/** The outcome of a publication. */
export interface Published {
  code: string;
  itemId: number;
  versionNo: number;
  visibility: Visibility;
  createdAt: Instant;
  warnings: readonly string[];
  /** Whether the report of a new version is filed in another folder than the publication names. */
  isFiledElsewhere: boolean;
}
export interface PublishStore {
  /**
   * Returns the outcome, or that of an earlier request with the same key, which has another code. Throws `Conflict` (name
   * taken, unexpected current code, key of a different request), `Forbidden` (no revisions on this plan) or `QuotaFull`;
   * then nothing is stored.
   */
  publish(publication: Publication): Promise<Published>;
  /** Returns the outcome of an earlier request with this key. Throws `Conflict` if it was a different request. */
  findPublished(request: RequestKey & { now: Instant }): Promise<Published | undefined>;
  /** Returns what an upload has to know of its workspace and of the report with this name, if the workspace has it. */
  findTarget(upload: { workspaceId: string; name: string | undefined }): Promise<UploadTarget>;
}

/** Finds the report that has a name already. */
export interface NamedReportFinder {
  findNamedReport(name: string, person?: Person): Promise<VersionOfItem | undefined>;
}
