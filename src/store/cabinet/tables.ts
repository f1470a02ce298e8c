import type { Instant, ShortcutKind } from "../../domain/model/entities.ts";

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

declare module "../engine/schema.ts" {
  interface Schema {
    drawers: Drawers;
    folders: Folders;
    tags: Tags;
    item_tags: ItemTags;
    shortcuts: Shortcuts;
  }
}
