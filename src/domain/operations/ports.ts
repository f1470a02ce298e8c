import type { Instant } from "../model/entities.ts";
import type { FileEntry } from "../model/files.ts";
import type { AdministrationStore } from "./administration-ports.ts";
import type { BackupStore } from "./backup/ports.ts";
import type { PublishedObject } from "./moving.ts";
import type { UsageStore } from "./usage.ts";

/** Access to the ID of the installation that a database belongs to. */
export interface InstallationStore {
  findInstallation(): Promise<string | undefined>;
  /** Sets the ID unless there is one already. Returns the ID that is set afterwards. */
  claimInstallation(claim: { id: string; now: Instant }): Promise<string>;
  hasReports(): Promise<boolean>;
}

/** A sweep that waits for an operator. */
export interface SweepHold {
  /** The number of objects that it would delete. */
  orphans: number;
  /** The number of all objects. */
  objects: number;
  heldAt: Instant;
}

/** Selects orphans that were first seen by this time and can be deleted. */
export interface DueOrphans {
  firstSeenUntil: Instant;
}

/** Access to what a sweep deletes. */
export interface SweepStore {
  /** Returns codes of deleted versions whose objects may still exist, in order, starting after `after`. */
  listUnswept(limit: number, after?: string): Promise<string[]>;
  markSwept(change: { codes: readonly string[]; now: Instant }): Promise<void>;
  /** Returns those of the codes that belong to a version, which are all that count as referenced. */
  findLiving(codes: readonly string[]): Promise<string[]>;
  /** Returns those of the codes whose version was deleted by a user. */
  findRetired(codes: readonly string[]): Promise<string[]>;
  /** Removes expired sessions, invitations, one-time secrets and idempotency keys. */
  removeExpired(change: { now: Instant }): Promise<void>;
  /** Records objects as orphans, with the time if they are new. */
  noteOrphans(seen: { keys: readonly string[]; now: Instant }): Promise<void>;
  /** Forgets orphans that were not seen again, because they are gone or referenced. */
  forgetOrphans(change: { notSeenSince: Instant }): Promise<void>;
  /** Forgets all orphans and a held sweep, so that the waiting time restarts. */
  forgetAllOrphans(): Promise<void>;
  removeOrphans(change: { keys: readonly string[] }): Promise<void>;
  /** Returns how many orphans are due without an operator's confirmation. */
  countDue(due: DueOrphans): Promise<number>;
  /** Returns keys of due orphans, in order, starting after `after`. */
  listDue(page: DueOrphans & { onlyConfirmed: boolean; after: string; limit: number }): Promise<string[]>;
  /** Holds back the due orphans that aren't confirmed. */
  holdSweep(change: DueOrphans & Omit<SweepHold, "orphans">): Promise<void>;
  releaseHold(): Promise<void>;
  /** Confirms the deletion of the held orphans. Returns false if their number isn't `orphans`. */
  confirmHold(change: { orphans: number; now: Instant }): Promise<boolean>;
  findHold(): Promise<SweepHold | undefined>;
  /** Returns keys of up to `limit` held orphans, in order. */
  listHeld(limit: number): Promise<string[]>;
}

/** Shows that changes become durable. */
export interface ProbeStore {
  /** Makes a change that leaves nothing behind. Resolves when it is durable. */
  writeProbe(probe: { id: string; now: Instant }): Promise<void>;
}

/** The hold of one run on a task. */
export interface TaskLease {
  name: string;
  /** The id of the run. */
  holder: string;
  /** Milliseconds until the lease expires unless it is renewed. */
  lease: number;
}

export interface TaskClaim extends TaskLease {
  /** Milliseconds between the starts of two successful runs. */
  every: number;
  /** Milliseconds to wait after a failure, for each failure in a row, up to `every`. */
  retryAfter: number;
}

export interface TaskEnd {
  name: string;
  holder: string;
  outcome: { kind: "succeeded"; detail: string | undefined } | { kind: "failed"; reason: string } | { kind: "stopped" };
}

/** What operators see of a task. All replicas have the same state. */
export interface TaskState {
  name: string;
  /** The run in progress, and when it started. Undefined if the task isn't running. */
  holder: string | undefined;
  runningSince: Instant | undefined;
  /** When the last successful run ended. */
  lastSuccessAt: Instant | undefined;
  lastFailureAt: Instant | undefined;
  /** The number of failed runs since the last successful one. */
  failures: number;
  /** Why the last failed run failed. */
  failure: string | undefined;
  /** One sentence about what the last successful run did. */
  detail: string | undefined;
}

/**
 * Access to the leases of background tasks, which run on one replica at a time. Leases expire by the clock of the
 * database, so that the clocks of the replicas don't matter.
 */
export interface TaskStore {
  /** Claims a task if it is due and isn't running. Returns whether this run holds it now. */
  claimTask(claim: TaskClaim): Promise<boolean>;
  /** Extends a lease. Returns false if another run holds the task now. */
  renewTask(lease: TaskLease): Promise<boolean>;
  /** Ends a run and records its outcome. Returns false if another run holds the task now. */
  endTask(end: TaskEnd): Promise<boolean>;
  /** Returns the state of every task that has ever run, by name. */
  listTasks(): Promise<TaskState[]>;
}

/** Takes ownership of the content. Resolves to one clause about the first difference, or undefined if they are equal. */
export type CheckContent = (content: Uint8Array, files: readonly FileEntry[]) => Promise<string | undefined>;

/** How far the scrub has come. */
export interface ScrubProgress {
  /** When the current round started. */
  startedAt: Instant;
  /** The code up to which this round has read the objects. */
  after: string;
  /** What this round has read. */
  objects: number;
  bytes: number;
  /** When a round last ended. At or after `startedAt` if the current one has. */
  lastFinishedAt: Instant | undefined;
}

/** An object that isn't what was published. */
export interface FoundDamage {
  key: string;
  /** The code of the version that it belongs to. */
  code: string;
  /** One clause that completes a sentence about the object. */
  problem: string;
  foundAt: Instant;
  /** When it was last found damaged. */
  checkedAt: Instant;
}

/** Access to what the scrub reads, to its progress and to the damage that it has found. */
export interface ScrubStore {
  /** Returns objects in the order of their codes, starting after `after`. */
  listPublishedAfter(after: string, limit: number): Promise<PublishedObject[]>;
  findPublishedObject(code: string): Promise<PublishedObject | undefined>;
  /** Returns the number and the size of all objects. */
  measurePublished(input: undefined): Promise<{ objects: number; bytes: number }>;
  findScrub(): Promise<ScrubProgress | undefined>;
  /** Saves the progress, unless another run has come further. */
  saveScrub(progress: ScrubProgress): Promise<void>;
  /** Records damage. Returns whether it wasn't known before. */
  noteDamage(damage: { key: string; code: string; problem: string; now: Instant }): Promise<boolean>;
  forgetDamage(change: { keys: readonly string[] }): Promise<void>;
  /** Returns damaged objects, those first that were checked the longest ago. */
  listDamage(limit: number): Promise<FoundDamage[]>;
  countDamage(): Promise<number>;
}

/** The database access of this capability. */
export interface OperationsStore
  extends AdministrationStore,
    InstallationStore,
    SweepStore,
    ProbeStore,
    TaskStore,
    UsageStore,
    BackupStore,
    ScrubStore {}
