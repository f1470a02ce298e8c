import type { Instant } from "../model/entities.ts";

/** Which installation a database belongs to. */
export interface InstallationStore {
  findInstallation(): Promise<string | undefined>;
  /** Sets the id unless there is one already. Returns the one that is set then. */
  claimInstallation(wanted: { id: string; now: Instant }): Promise<string>;
  hasReports(): Promise<boolean>;
}

/** A sweep that waits for an operator. */
export interface SweepHold {
  /** Objects that it would delete. */
  orphans: number;
  /** All objects. */
  objects: number;
  heldAt: Instant;
}

/** Orphans whose time has come. */
export interface DueOrphans {
  firstSeenUntil: Instant;
}

/** What has to be cleared away in the blob store, and with time in the database. */
export interface SweepStore {
  /** Codes of deleted versions whose objects may still be there, in order, those after `after`. */
  listUnswept(limit: number, after?: string): Promise<string[]>;
  markSwept(change: { codes: readonly string[]; now: Instant }): Promise<void>;
  /** Those of the codes that belong to a version. Nothing else says which codes are referenced. */
  findLiving(codes: readonly string[]): Promise<string[]>;
  /** Those of the codes that belonged to a version that was deleted on purpose. */
  findRetired(codes: readonly string[]): Promise<string[]>;
  /** Sessions, invitations, one-time secrets and keys of requests. */
  removeExpired(change: { now: Instant }): Promise<void>;
  /** Remembers since when objects are unreferenced. */
  noteOrphans(seen: { keys: readonly string[]; now: Instant }): Promise<void>;
  /** Forgets those that were not seen any more: they are gone, or referenced again. */
  forgetOrphans(change: { notSeenSince: Instant }): Promise<void>;
  /** Forgets all orphans and a held sweep, so that their time starts again. */
  forgetAllOrphans(): Promise<void>;
  removeOrphans(change: { keys: readonly string[] }): Promise<void>;
  /** How many are due without an operator's confirmation. */
  countDue(due: DueOrphans): Promise<number>;
  /** Keys of due orphans in order, those after `after`. */
  listDue(wanted: DueOrphans & { onlyConfirmed: boolean; after: string; limit: number }): Promise<string[]>;
  /** Keeps a sweep from deleting what is due and not confirmed. */
  holdSweep(change: DueOrphans & Omit<SweepHold, "orphans">): Promise<void>;
  releaseHold(): Promise<void>;
  /** Confirms the deletion of exactly the held orphans. Returns false unless so many are held. */
  confirmHold(change: { orphans: number; now: Instant }): Promise<boolean>;
  findHold(): Promise<SweepHold | undefined>;
  /** Keys of some held orphans, in order. */
  listHeld(limit: number): Promise<string[]>;
}

/** What shows that changes are durable. */
export interface ProbeStore {
  /** Makes a change that leaves nothing behind. Resolves when it is durable. */
  writeProbe(probe: { id: string; now: Instant }): Promise<void>;
}

/** What running the server asks of the database. */
export interface OperationsStore extends InstallationStore, SweepStore, ProbeStore {}
