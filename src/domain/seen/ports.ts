import type { Instant } from "../model/entities.ts";
import type { SeenBy, SeenLink } from "../model/seen-by.ts";

/** Openings of one version over one link. */
export interface Openings {
  code: string;
  link: SeenLink;
  /** Null for readers who are not to be named. */
  userId: string | null;
  times: number;
  lastAt: Instant;
}

/** Attempts to open a report by people who may not read it. There may be no report with this name or code. */
export interface Refusals {
  reference: { name: string } | { code: string };
  times: number;
  lastAt: Instant;
}

/** What one server process counted in a short time. A batch that was added already is not added again. */
export interface SeenBatch {
  id: string;
  openings: readonly Openings[];
  refusals: readonly Refusals[];
}

export interface Count {
  openings: number;
  lastAt: Instant;
}

export interface SeenReader extends Count {
  slug: string;
  displayName: string | null;
  /** The versions this person has opened, newest first, of those in `SeenRecord.versions`. */
  versionNos: number[];
}

/** What was recorded about the openings of one report. */
export interface SeenRecord {
  /** The newest versions, newest first, opened or not. */
  versions: { code: string; versionNo: number; openings: number; lastAt: Instant | null }[];
  links: (Count & { link: string })[];
  /** The latest readers first. */
  readers: SeenReader[];
  refusals: Count | null;
}

export interface SeenStore {
  /** Returns the workspaces that record something. */
  listSeenBy(): Promise<{ workspaceId: string; seenBy: SeenBy }[]>;
  findSeenBy(workspaceId: string): Promise<SeenBy>;
  /** Sets what a workspace records. Returns false unless the user manages it. */
  setSeenBy(change: { workspaceId: string; userId: string; seenBy: SeenBy }): Promise<boolean>;
  /** Deletes up to `limit` records that a workspace's setting no longer allows, and returns their number. */
  removeUnwantedSeen(request: { workspaceId: string; limit: number }): Promise<number>;
  /** Deletes up to `limit` records without openings since `before`, and returns their number. */
  removeExpiredSeen(request: { before: Instant; limit: number }): Promise<number>;
  addSeen(change: { batch: SeenBatch; now: Instant }): Promise<void>;
  readSeen(request: { itemId: number; workspaceId: string; versions: number; readers: number }): Promise<SeenRecord>;
}
