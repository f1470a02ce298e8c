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

declare module "../engine/schema.ts" {
  interface Schema {
    installation: InstallationRow;
    orphans: Orphans;
    sweep_hold: SweepHold;
  }
}
