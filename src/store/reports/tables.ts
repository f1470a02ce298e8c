import type { Generated } from "kysely";
import type { Instant, Visibility } from "../../domain/model/entities.ts";

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

declare module "../engine/schema.ts" {
  interface Schema {
    items: Items;
    versions: Versions;
    retired_codes: RetiredCodes;
    deletions: Deletions;
  }
}
