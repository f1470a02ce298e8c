import type { Instant } from "../../domain/model/entities.ts";

/** Openings of versions. Kept until the objects of the version are deleted, so that restoring a report brings them back. */
interface Seen {
  code: string;
  /** A `SeenLink`, or `refused` for attempts of people who may not read the report. */
  link: string;
  /** Empty for the openings of all readers, including those with separate rows. */
  user_id: string;
  workspace_id: string;
  times: number;
  last_at: Instant;
}

/** The batches that were added lately. */
interface SeenBatches {
  id: string;
  added_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    seen: Seen;
    seen_batches: SeenBatches;
  }
}
