import type { Generated } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";

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
  }
}
