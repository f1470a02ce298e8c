import type { Instant } from "../../domain/model/entities.ts";

/** Recognizes a publish request that is sent again. */
interface RequestKeys {
  user_id: string;
  /** The workspace of the credential. */
  workspace_id: string;
  key: string;
  /** Fingerprint of the request that has taken the key. */
  fingerprint: string;
  /** JSON: the outcome of that request. */
  published: string;
  expires_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    request_keys: RequestKeys;
  }
}
