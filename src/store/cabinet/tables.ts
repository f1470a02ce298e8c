import type { Instant, ShortcutKind } from "../../domain/model/entities.ts";

interface Drawers {
  id: string;
  workspace_id: string;
  title: string;
  /** The title, folded for search. */
  search_title: string;
  /** Set if a legacy folder label created the drawer: unique, so that concurrent calls create only one. */
  label_key: string | null;
  created_at: Instant;
}

interface Folders {
  id: string;
  workspace_id: string;
  drawer_id: string | null;
  title: string;
  /** The title, folded for search. */
  search_title: string;
  label_key: string | null;
  created_at: Instant;
}

interface Tags {
  id: string;
  workspace_id: string;
  parent_id: string | null;
  title: string;
  /** The title, folded for search. */
  search_title: string;
  created_at: Instant;
}

interface ItemTags {
  item_id: number;
  tag_id: string;
  /** The workspace of both the item and the tag. */
  workspace_id: string;
}

/**
 * The number of items in a place that count for a reader, or of changes to a workspace's cabinet. A place can have several
 * rows, whose counts add up. Triggers keep them, without rows that count 0 items.
 */
interface ItemCounts {
  workspace_id: string;
  /** `owners` for all items, `members` for those that every member may read, or a user for others that they may read. */
  reader: string;
  kind: "folder" | "tag" | "subtree" | "tagged" | "change";
  /** The id of a folder or tag. Empty for unfiled items and the other kinds. */
  place: string;
  count: number;
}

/** A user's shortcuts in a workspace. */
interface Shortcuts {
  user_id: string;
  workspace_id: string;
  kind: ShortcutKind;
  /** The id of a drawer, folder or tag, the name of a named report, or the code of an unnamed one. */
  ref: string;
  created_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    drawers: Drawers;
    folders: Folders;
    tags: Tags;
    item_tags: ItemTags;
    current_item_counts: ItemCounts;
    shortcuts: Shortcuts;
  }
}
