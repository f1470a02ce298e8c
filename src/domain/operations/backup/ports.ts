import type { Instant } from "../../model/entities.ts";

/** The hold of a run of `vitrine backup` on all objects. */
export interface BackupLease {
  /** The id of the run. */
  id: string;
  /** Milliseconds until the lease expires unless it is renewed. */
  lease: number;
}

export type BackupEnd = { id: string } & (
  | { state: "failed"; problem: string }
  | {
      state: "succeeded";
      /** The id of the backup in the target. */
      backup: string;
      /** Set if reports were damaged already, so that the backup lacks their files. */
      problem: string | undefined;
      objects: number;
      bytes: number;
      copiedBytes: number;
    }
);

export const BACKUP_STATES = ["running", "succeeded", "failed"] as const;

/** A run of `vitrine backup`, as operators see it. */
export interface BackupRun {
  id: string;
  /** The location that it writes to, without credentials. */
  target: string;
  state: (typeof BACKUP_STATES)[number];
  startedAt: Instant;
  finishedAt: Instant | undefined;
  /** The id of the backup in the target, if it succeeded. */
  backup: string | undefined;
  /** Why it failed, or what is wrong with the backup. */
  problem: string | undefined;
  /** The number of objects in the backup. */
  objects: number | undefined;
  /** The size of the backup. */
  bytes: number | undefined;
  /** The part of it that earlier backups didn't contain. */
  copiedBytes: number | undefined;
}

/**
 * Access to the runs of `vitrine backup`. Leases expire by the clock of the database.
 *
 * A run is recorded before its snapshot is taken. A deletion removes the row first, then asks `isBackingUp`, then deletes
 * the object. So either the snapshot lacks the row, or the deletion sees the run and keeps the object.
 */
export interface BackupStore {
  startBackup(run: BackupLease & { target: string }): Promise<void>;
  /** Extends a lease. Returns false if it has expired, because objects may have been deleted since. */
  renewBackup(lease: BackupLease): Promise<boolean>;
  endBackup(end: BackupEnd): Promise<void>;
  /** Returns whether a backup is in progress, so that no object may be deleted. */
  isBackingUp(): Promise<boolean>;
  /** Returns the run that was started last. */
  findLastBackup(): Promise<BackupRun | undefined>;
}

/** A stored file that is identified by its content. */
export interface StoredText {
  /** Bytes. */
  size: number;
  /** In hexadecimal. */
  sha256: string;
}

export interface StoredPart extends StoredText {
  name: string;
}

/** A large file of a backup, in one or more parts. */
export interface StoredFile extends StoredText {
  parts: readonly StoredPart[];
}

/** The files of all backups in a target, by name, beside their objects. */
export interface BackupFiles {
  /** Returns the names of the entries in a directory; an empty name is the top one. */
  list(directory: string): Promise<string[]>;
  /** Returns undefined if there is no such file. */
  readText(name: string): Promise<string | undefined>;
  /** Durably writes a file, replacing any other. */
  writeText(name: string, text: string): Promise<void>;
  /** Durably creates a file. Returns false if there is one. */
  createText(name: string, text: string): Promise<boolean>;
  /** Durably stores a local file under the name, in several parts if need be. */
  store(name: string, path: string): Promise<StoredFile>;
  /** Writes a stored file to a new local one. Throws `DamagedBackup` if it isn't what was stored. */
  fetch(file: StoredFile, path: string): Promise<void>;
  /** Deletes files, ignoring missing ones. */
  remove(names: readonly string[]): Promise<void>;
}

/** Indicates that a file of a backup is missing or isn't what was written. */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}
