import type { Instant } from "../../domain/model/entities.ts";

/** One row: which installation the database belongs to. */
interface InstallationRow {
  number: number;
  id: string;
  created_at: Instant;
}

/** An object that no version names, for as long as it is seen so. */
interface Orphans {
  key: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  /** When a held sweep counted it; null before. */
  held_at: Instant | null;
  /** When an operator confirmed its deletion. */
  confirmed_at: Instant | null;
}

/** One row while the sweep waits for an operator. */
interface SweepHold {
  number: number;
  /** Objects that it would delete. */
  orphans: number;
  /** All objects. */
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
