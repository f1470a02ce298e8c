import type { Generated } from "kysely";
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

/** A background task that has ever run. */
interface Tasks {
  name: string;
  /** The id of the run that holds the lease, or null. */
  holder: string | null;
  /** When the lease expires, by the clock of the database. */
  expires_at: Instant | null;
  last_started_at: Instant;
  /** When the last successful run started. */
  last_success_started_at: Generated<Instant | null>;
  /** When the last successful run ended. */
  last_success_at: Generated<Instant | null>;
  last_failure_at: Generated<Instant | null>;
  /** The number of failed runs since the last successful one. */
  failures: Generated<number>;
  /** Why the last failed run failed. */
  failure: Generated<string | null>;
  /** What the last successful run did. */
  detail: Generated<string | null>;
}

/** The single row with the progress of the scrub. */
interface Scrub {
  number: number;
  /** When the current round started. */
  started_at: Instant;
  /** The code up to which this round has read all objects. */
  after: string;
  /** The number of objects that this round has read. */
  objects: number;
  bytes: number;
  /** When the last complete round ended, or null. */
  last_finished_at: Instant | null;
}

/** A stored object whose bytes aren't what was published. */
interface DamagedObjects {
  key: string;
  code: string;
  /** One clause that completes a sentence about the object. */
  problem: string;
  found_at: Instant;
  checked_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    installation: InstallationRow;
    orphans: Orphans;
    sweep_hold: SweepHold;
    tasks: Tasks;
    scrub: Scrub;
    damaged_objects: DamagedObjects;
  }
}
