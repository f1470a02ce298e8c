import type { Instant } from "../../domain/model/entities.ts";

interface Tokens {
  id: string;
  /** The SHA-256 of the token in hexadecimal. */
  hash: string;
  user_id: string;
  workspace_id: string;
  name: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
  /** The grant (OAuth) that the token belongs to, if a program received it. */
  grant_id: string | null;
}

declare module "../engine/schema.ts" {
  interface Schema {
    tokens: Tokens;
  }
}
