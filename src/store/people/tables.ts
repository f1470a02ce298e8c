import type { Generated } from "kysely";
import type { DefaultVisibility, Instant, Role, WorkspaceKind } from "../../domain/model/entities.ts";
import type { Plan } from "../../domain/model/plans.ts";
import type { SeenBy } from "../../domain/model/seen-by.ts";

interface Users {
  id: string;
  email: string;
  name: string | null;
  /** 0 or 1. */
  email_verified: Generated<number>;
  image: string | null;
  /** 0 or 1. */
  is_operator: Generated<number>;
  /** When an operator disabled the user, or null. */
  disabled_at: Instant | null;
  /** When the user was deleted, or null. The row stays, without personal data, because versions refer to it. */
  deleted_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

/** A credential of a user: a password or an identity at a provider. */
interface Accounts {
  id: string;
  user_id: string;
  /** `credential` for a password. */
  provider_id: string;
  /** The user's id at the provider, or the user's own id for a password. */
  account_id: string;
  /** An Argon2id hash. */
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
  /** Identifies the session in tickets. Derived from its id and useless as a credential. */
  ref: string;
  /** The cookie adds a signature, so the token alone doesn't sign anyone in. */
  token: string;
  user_id: string;
  ip_address: string | null;
  user_agent: string | null;
  expires_at: Instant;
  /** When the user last authenticated, at sign-in or later. */
  authenticated_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

/** Single-use secrets. */
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
  /** The visibility of new reports whose upload names none, or null for private ones. */
  default_visibility: DefaultVisibility | null;
  /** What is recorded about readers, or null for nothing. */
  seen_by: Exclude<SeenBy, "off"> | null;
  /** The size of all files in bytes, updated in the same transaction as the versions. */
  stored_bytes: Generated<number>;
  created_at: Instant;
}

interface Memberships {
  workspace_id: string;
  user_id: string;
  role: Role;
  created_at: Instant;
}

/** Open invitations. Using or revoking one removes its row. */
interface Invitations {
  id: string;
  /** The SHA-256 of the link's secret in hexadecimal. */
  hash: string;
  workspace_id: string;
  inviter_id: string;
  role: Role;
  /** The only address that can use it, or null for anyone with the link. */
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
