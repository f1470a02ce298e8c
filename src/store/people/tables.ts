import type { Generated } from "kysely";
import type { Instant, Role, WorkspaceKind } from "../../domain/model/entities.ts";
import type { Plan } from "../../domain/model/plans.ts";

interface Users {
  id: string;
  email: string;
  name: string | null;
  /** 0 or 1. */
  email_verified: Generated<number>;
  image: string | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A way in which a user proves who they are: a password, or a provider's word. */
interface Accounts {
  id: string;
  user_id: string;
  /** `credential` for a password. */
  provider_id: string;
  /** The user as the provider calls them; our own id for a password. */
  account_id: string;
  /** Argon2id. */
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Instant | null;
  refresh_token_expires_at: Instant | null;
  scope: string | null;
  created_at: Instant;
  updated_at: Instant;
}

interface Sessions {
  id: string;
  /** By which tickets name the session: made from its id, and of no use as a credential. */
  ref: string;
  /** The cookie bears it with a signature, so it alone opens nothing. */
  token: string;
  user_id: string;
  ip_address: string | null;
  user_agent: string | null;
  expires_at: Instant;
  /** When the person last proved who they are, at sign-in or later. */
  authenticated_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

/** Secrets that are good for one use. */
interface Verifications {
  id: string;
  identifier: string;
  value: string;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface Workspaces {
  id: string;
  slug: string;
  kind: WorkspaceKind;
  display_name: string | null;
  plan: Plan;
  default_folder_id: string | null;
  /** Bytes of all files in the workspace; changed in the same transaction as the rows it sums up. */
  stored_bytes: Generated<number>;
  created_at: Instant;
}

interface Memberships {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: Instant;
}

/** Open until used or revoked, which removes the row. */
interface Invitations {
  id: string;
  /** SHA-256 of the link's secret, hexadecimal. */
  hash: string;
  workspace_id: string;
  inviter_id: string;
  role: Role;
  /** Whom it is for; null for whoever has the link. */
  email: string | null;
  created_at: Instant;
  expires_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    users: Users;
    accounts: Accounts;
    sessions: Sessions;
    verifications: Verifications;
    workspaces: Workspaces;
    memberships: Memberships;
    invitations: Invitations;
  }
}
