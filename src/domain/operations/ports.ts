import type { Instant } from "../model/entities.ts";
import type { AdministrationStore } from "./administration-ports.ts";

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

/** The database access of this capability. */
export interface OperationsStore extends AdministrationStore, InstallationStore, SweepStore, ProbeStore {}
