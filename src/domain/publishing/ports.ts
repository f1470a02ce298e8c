import type { Instant, Visibility } from "../model/entities.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import type { FileEntry } from "../model/files.ts";
import type { WantedFolder } from "../model/folders.ts";

/** By what a request is known again: the key that its sender made up for it, and whose key it is. */
export interface RequestKey {
  userId: string;
  /** The credential's workspace. */
  workspaceId: string;
  key: string;
  /** Of all that the request says, so that no other request is taken for it. */
  fingerprint: string;
}
/** A new version as it goes into the store, in one transaction. */
export interface Publication {
  code: string;
  name: string | undefined;
  expectedCode: ExpectedCode;
  title: string;
  visibility: Visibility;
  /** Where to file a new item; null for nowhere, undefined for the workspace's default folder. */
  folder: WantedFolder | null | undefined;
  files: readonly FileEntry[];
  /** Pages with a stand-in for storage; undefined for a version without. */
  standIns: readonly FileEntry[] | undefined;
  /** Bytes of all files. */
  size: number;
  /** About the documents. */
  warnings: readonly string[];
  workspaceId: string;
  userId: string;
  mayGovern: boolean;
  quota: number;
  allowsRevisions: boolean;
  /** Undefined: should the request come again, it is another one. */
  request: (RequestKey & { expiresAt: Instant }) | undefined;
  now: Instant;
}
/** What a publication led to. */
export interface Published {
  code: string;
  itemId: number;
  versionNo: number;
  visibility: Visibility;
  createdAt: Instant;
  warnings: readonly string[];
  /** Whether the group of a new version lies in another folder than the publication wanted. */
  isFiledElsewhere: boolean;
}
export interface PublishStore {
  /**
   * Throws `Conflict` (name taken, another current code than expected, another request with the same key), `Forbidden`
   * (no revisions on this plan) or `QuotaFull`; then nothing is stored. What an earlier request with the same key led
   * to has that one's code.
   */
  publish(publication: Publication): Promise<Published>;
  /** What a request with this key led to before. Throws `Conflict` when that was another request. */
  findPublished(request: RequestKey & { now: Instant }): Promise<Published | undefined>;
  /** Returns how many bytes the workspace has used of its quota. */
  findStoredBytes(workspaceId: string): Promise<number>;
}
