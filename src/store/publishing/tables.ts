import type { Instant } from "../../domain/model/entities.ts";

/** By which a publish that is asked for again is known. */
interface RequestKeys {
  user_id: string;
  /** Of the credential that asked. */
  workspace_id: string;
  key: string;
  /** Of the request that has taken the key. */
  fingerprint: string;
  /** JSON: what it led to. */
  published: string;
  expires_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    request_keys: RequestKeys;
  }
}
