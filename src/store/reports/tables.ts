import type { Generated } from "kysely";
import type { Instant, Visibility } from "../../domain/model/entities.ts";
import type { StorageMode } from "../../domain/model/storage-mode.ts";

interface Items {
  id: Generated<number>;
  workspace_id: string;
  creator_id: string;
  /** Null for an unnamed report. */
  name: string | null;
  visibility: Visibility;
  current_code: string;
  /** Never decreases, so that no version number is used twice. */
  last_version_no: number;
  folder_id: string | null;
  folder_changed_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** The title that is shown: `display_title`, or that of the current version. */
  title: string;
  /** The title that someone gave the report, or null. */
  display_title: string | null;
  /** Which of the sample reports it is, or null. Each user has each of them once in a workspace. */
  sample: string | null;
  /** The storage of later versions whose upload names none, or null for no storage. */
  storage: StorageMode | null;
  /** The only organization that a person's report is shared with, or null for all of theirs. */
  organization_id: string | null;
  /** When it was last shared with an organization, or null. */
  shared_at: Instant | null;
  /** Copied from the current version, like the next column. */
  current_creator_id: string;
  current_visibility: Visibility;
  /** The name and the title, folded for search. */
  search_text: string;
  sort_title: string;
  /** The name, or a text that sorts after all names. */
  sort_name: string;
}

interface Versions {
  code: string;
  item_id: number;
  creator_id: string;
  version_no: number;
  title: string;
  visibility: Visibility;
  /** The size of all files in bytes. */
  size: number;
  /** JSON: `[path, size, digest]` of each file, in the order of the object's contents. */
  files: string;
  /** JSON like `files`, for pages with a stand-in for storage, which follow the files in the object, or null. */
  stand_ins: string | null;
  /** Null for versions that have storage if they have stand-ins. */
  storage: StorageMode | null;
  /** What its publisher says has changed, or null. */
  note: string | null;
  /** JSON: the warnings that the publish returned, or null for none. */
  warnings: string | null;
  /** The only organization that it is shared with, `*` for all, or null for that of its report. */
  organization_id: string | null;
  created_at: Instant;
}

interface RetiredCodes {
  code: string;
  retired_at: Instant;
  /** Null while the version's objects may still exist. */
  swept_at: Instant | null;
  /** The deletion that can still be undone and so keeps the version's objects, or null. */
  deletion_id: string | null;
}

/** A deletion of several items, which can be undone until it expires. */
interface Deletions {
  id: string;
  workspace_id: string;
  /** The user who deleted the items. */
  user_id: string;
  /** JSON: the deleted rows by table. */
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
