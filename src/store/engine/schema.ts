import type { Generated, Kysely } from "kysely";
import type { Instant, Role, ShortcutKind, Visibility, WorkspaceKind } from "../../domain/model/entities.ts";
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

interface Tokens {
  id: string;
  /** SHA-256 of the token, hexadecimal. */
  hash: string;
  user_id: string;
  workspace_id: string;
  name: string;
  /** Separated by spaces. */
  scopes: string;
  created_at: Instant;
  expires_at: Instant | null;
  last_used_at: Instant | null;
}

interface Items {
  id: Generated<number>;
  workspace_id: string;
  creator_id: string;
  /** Null for a standalone report. */
  name: string | null;
  visibility: Visibility;
  current_code: string;
  /** Counts up and never down, so that no number is used twice. */
  last_version_no: number;
  folder_id: string | null;
  folder_changed_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** Of the current version, as are the next two. */
  title: string;
  current_creator_id: string;
  current_visibility: Visibility;
  /** Name and title, folded. */
  search_text: string;
  sort_title: string;
  /** The name, and for what has none something that comes after all names. */
  sort_name: string;
}

interface Versions {
  code: string;
  item_id: number;
  creator_id: string;
  version_no: number;
  title: string;
  visibility: Visibility;
  /** Bytes of all files. */
  size: number;
  /** JSON: `[path, size, digest]` for each file, in the order in which they lie in the object. */
  files: string;
  /** The same of pages with a stand-in for storage, which lie behind the files; null for a version without. */
  stand_ins: string | null;
  created_at: Instant;
}

interface RetiredCodes {
  code: string;
  retired_at: Instant;
  /** Null while the version's objects may still be there. */
  swept_at: Instant | null;
  /** The deletion that can still be undone, for which the version's objects are kept; null otherwise. */
  deletion_id: string | null;
}

/** What was deleted together and can be restored until it expires. */
interface Deletions {
  id: string;
  workspace_id: string;
  /** Who deleted it. */
  user_id: string;
  /** JSON: the deleted rows by their tables. */
  snapshot: string;
  expires_at: Instant;
}

interface Drawers {
  id: string;
  workspace_id: string;
  title: string;
  /** Folded. */
  search_title: string;
  /** Set on drawers made from a legacy folder label, so that two calls at once make one. */
  label_key: string | null;
  created_at: Instant;
}

interface Folders {
  id: string;
  workspace_id: string;
  drawer_id: string | null;
  title: string;
  /** Folded. */
  search_title: string;
  label_key: string | null;
  created_at: Instant;
}

interface Tags {
  id: string;
  workspace_id: string;
  parent_id: string | null;
  title: string;
  /** Folded. */
  search_title: string;
  created_at: Instant;
}

interface ItemTags {
  item_id: number;
  tag_id: string;
  /** The item's and the tag's. */
  workspace_id: string;
}

/** What somebody keeps at hand in a workspace. */
interface Shortcuts {
  user_id: string;
  workspace_id: string;
  kind: ShortcutKind;
  /** Id of a drawer, folder or tag, name of a group, code of a report. */
  ref: string;
  created_at: Instant;
}

/** One for each version. */
interface SearchCodes {
  id: Generated<number>;
  item_id: number;
  code: string;
  folded: string;
}

/** Pieces of text as numbers, with spaces between; `rowid` says whose. An index: SQLite cannot give them back. */
interface Grams {
  rowid: number;
  grams: string;
}

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

/** One row: which installation the database belongs to. */
interface InstallationRow {
  number: number;
  id: string;
  created_at: Instant;
}

/** An object that no version names, for as long as it is seen so. */
interface Orphans {
  key: string;
  first_seen_at: Instant;
  last_seen_at: Instant;
  /** When a held sweep counted it; null before. */
  held_at: Instant | null;
  /** When an operator confirmed its deletion. */
  confirmed_at: Instant | null;
}

/** One row while the sweep waits for an operator. */
interface SweepHold {
  number: number;
  /** Objects that it would delete. */
  orphans: number;
  /** All objects. */
  objects: number;
  held_at: Instant;
}

export interface Schema {
  users: Users;
  accounts: Accounts;
  sessions: Sessions;
  verifications: Verifications;
  workspaces: Workspaces;
  memberships: Memberships;
  invitations: Invitations;
  tokens: Tokens;
  items: Items;
  versions: Versions;
  retired_codes: RetiredCodes;
  deletions: Deletions;
  drawers: Drawers;
  folders: Folders;
  tags: Tags;
  item_tags: ItemTags;
  shortcuts: Shortcuts;
  search_codes: SearchCodes;
  /** Of an item's `search_text`. */
  item_grams: Grams;
  /** Of a code in `search_codes`. */
  code_grams: Grams;
  request_keys: RequestKeys;
  installation: InstallationRow;
  orphans: Orphans;
  sweep_hold: SweepHold;
}

/** A connection, a pool or a transaction. */
export type Database = Kysely<Schema>;
