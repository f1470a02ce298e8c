import type { Instant } from "../../domain/model/entities.ts";

/** The single row with the installation that the database belongs to. */
interface InstallationRow {
  number: number;
  id: string;
  created_at: Instant;
}

/** A stored object that no version refers to. */
interface Orphans {
  key: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  /** When a held sweep counted it, or null. */
  held_at: Instant | null;
  /** When an operator confirmed its deletion, or null. */
  confirmed_at: Instant | null;
}

/** The single row that exists while the sweep waits for an operator. */
interface SweepHold {
  number: number;
  /** The number of objects to delete. */
  orphans: number;
  /** The number of all objects. */
  objects: number;
  held_at: Instant;
}

/** A run of `vitrine backup`. */
interface Backups {
  id: string;
  /** The location that it writes to, without credentials. */
  target: string;
  state: "running" | "succeeded" | "failed";
  started_at: Instant;
  /** Until then, unless it ends earlier, a run keeps all objects from being deleted. */
  expires_at: Instant;
  finished_at: Instant | null;
  /** The id of the backup in the target, or null. */
  backup: string | null;
  problem: string | null;
  objects: number | null;
  bytes: number | null;
  copied_bytes: number | null;
}

declare module "../engine/schema.ts" {
  interface Schema {
    installation: InstallationRow;
    orphans: Orphans;
    sweep_hold: SweepHold;
    backups: Backups;
  }
}
