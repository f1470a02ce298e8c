import type { Instant } from "../../domain/model/entities.ts";

/** A person who may read a report, named by the address that they have verified or will verify. */
interface SharedPeople {
  id: string;
  item_id: number;
  /** The only version that they may read, or null for the whole report. */
  code: string | null;
  /** In lowercase. */
  email: string;
  sharer_id: string;
  created_at: Instant;
}

/** A request of a user who may not read a report. Accepting one removes its row. */
interface AccessRequests {
  id: string;
  item_id: number;
  /** The version that was asked for, or null for the whole report. */
  code: string | null;
  user_id: string;
  message: string | null;
  created_at: Instant;
  /** When it was declined, or null. Kept, so that asking again at once bothers nobody. */
  declined_at: Instant | null;
}

declare module "../engine/schema.ts" {
  interface Schema {
    shared_people: SharedPeople;
    access_requests: AccessRequests;
  }
}
