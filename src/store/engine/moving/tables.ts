/** A table whose rows are copied as they are. */
export interface MovedTable {
  name: string;
  /** Columns of the primary key. */
  key: readonly string[];
  /** A column that points to rows of the same table, and so is filled in when all of them are there. */
  pointsToItself?: string;
}

/** Every table but those of the search index, which each engine keeps in its own way; what others point to comes first. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: "users", key: ["id"] },
  { name: "accounts", key: ["id"] },
  { name: "sessions", key: ["id"] },
  { name: "verifications", key: ["id"] },
  { name: "workspaces", key: ["id"] },
  { name: "memberships", key: ["user_id", "workspace_id"] },
  { name: "invitations", key: ["id"] },
  { name: "tokens", key: ["id"] },
  { name: "drawers", key: ["id"] },
  { name: "folders", key: ["id"] },
  { name: "tags", key: ["id"], pointsToItself: "parent_id" },
  { name: "items", key: ["id"] },
  { name: "versions", key: ["code"] },
  { name: "deletions", key: ["id"] },
  { name: "retired_codes", key: ["code"] },
  { name: "item_tags", key: ["item_id", "tag_id"] },
  { name: "shortcuts", key: ["user_id", "workspace_id", "kind", "ref"] },
  { name: "search_codes", key: ["id"] },
  { name: "request_keys", key: ["user_id", "workspace_id", "key"] },
  { name: "installation", key: ["number"] },
  { name: "orphans", key: ["key"] },
  { name: "sweep_hold", key: ["number"] },
];

/** Tables whose key counts up by itself, and never comes to a number again. */
export const COUNTING_TABLES = ["items", "search_codes"] as const;
export type CountingTable = (typeof COUNTING_TABLES)[number];

/** Indexes of pieces of text, made anew from the rows. */
export const GRAM_TABLES = ["item_grams", "code_grams"] as const;
export type GramTable = (typeof GRAM_TABLES)[number];
