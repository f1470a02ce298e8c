import type { Instant } from "../../domain/model/entities.ts";

/** A program that registered itself. */
interface OAuthClients {
  id: string;
  name: string;
  /** As a JSON array. */
  redirect_uris: string;
  created_at: Instant;
  /** When it was last used to connect. */
  used_at: Instant;
}

/** What a user let a program do. */
interface OAuthGrants {
  id: string;
  user_id: string;
  workspace_id: string;
  client_id: string;
  client_name: string;
  /** Separated by spaces. */
  scopes: string;
  resource: string;
  created_at: Instant;
  /** When the last refresh token expires, or before the first one, the code. */
  expires_at: Instant;
  /** When the program last received an access token. Null until it has redeemed the code. */
  refreshed_at: Instant | null;
}

/** A code or refresh token. */
interface OAuthSecrets {
  /** The SHA-256 in hexadecimal. */
  hash: string;
  kind: string;
  grant_id: string;
  redirect_uri: string | null;
  challenge: string | null;
  expires_at: Instant;
  used_at: Instant | null;
}

/** A program that waits for a person to approve its code in a browser. */
interface OAuthDevices {
  /** The SHA-256 of the device code in hexadecimal. */
  hash: string;
  /** The SHA-256 of the code that the person sees. */
  user_code: string;
  name: string;
  /** Scopes, separated by spaces. */
  requested: string;
  expires_at: Instant;
  poll_after: Instant;
  /** Milliseconds between polls. */
  pause: number;
  /** "approved", "denied" or, while the person hasn't answered, null. */
  answer: string | null;
  user_id: string | null;
  workspace_id: string | null;
  scopes: string | null;
}

declare module "../engine/schema.ts" {
  interface Schema {
    oauth_clients: OAuthClients;
    oauth_grants: OAuthGrants;
    oauth_secrets: OAuthSecrets;
    oauth_devices: OAuthDevices;
  }
}
