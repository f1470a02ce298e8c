import type { Generated } from "kysely";
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
  /** When it was declined, or null. Kept, so that asking again at once bothers no one. */
  declined_at: Instant | null;
}

interface GuestLinks {
  id: string;
  /** The SHA-256 of the secret in hexadecimal. */
  hash: string;
  /** The report may be deleted; if it is restored, its links work again. */
  item_id: number;
  /** The version that the link opens, or null if it follows the report. */
  code: string | null;
  creator_id: string | null;
  label: string | null;
  password_hash: string | null;
  /** JSON: addresses, or null. */
  emails: string | null;
  /** JSON: origins, or null. */
  embed_origins: string | null;
  created_at: Instant;
  expires_at: Instant | null;
  uses: Generated<number>;
  last_used_at: Instant | null;
  /** Whether guests may read and write comments. */
  takes_comments: Generated<number>;
  /** Whether sites that preview the link learn the report's title. */
  has_preview: Generated<number>;
}

interface GuestCodes {
  link_id: string;
  email_hash: string;
  code_hash: string;
  tries: Generated<number>;
  expires_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    guest_links: GuestLinks;
    guest_codes: GuestCodes;
    shared_people: SharedPeople;
    access_requests: AccessRequests;
  }
}
