import type { Instant } from "../../domain/model/entities.ts";
import type { DeletionReason } from "../../domain/trash/ports.ts";

/**
 * A report or version in the trash. The release before this table's trash had one row for each deletion of several
 * reports, in which all columns that may be null here are null.
 */
interface Deletions {
  id: string;
  workspace_id: string;
  /** Who deleted it. */
  user_id: string;
  /** JSON: the deleted rows by table. */
  snapshot: string;
  expires_at: Instant;
  kind: "report" | "version" | null;
  /** The id with which everything is restored that one call deleted. */
  batch_id: string | null;
  reason: DeletionReason | null;
  deleted_at: Instant | null;
  /** The report, or the report that the version belongs to. */
  item_id: number | null;
  creator_id: string | null;
  /** Null for a report. */
  version_creator_id: string | null;
  /** The report's name, or null. */
  name: string | null;
  /** The code of the version, or of the report's current one. */
  code: string | null;
  title: string | null;
  /** Null for a report. */
  version_no: number | null;
  /** The number of deleted versions. */
  versions: number | null;
  /** The size of all deleted versions in bytes. */
  size: number | null;
}

/** A version in the trash, by which its objects are found. */
interface TrashedVersions {
  code: string;
  deletion_id: string;
  item_id: number;
  version_no: number;
  size: number;
  files: string;
  stand_ins: string | null;
  /** JSON: the other columns of `versions`. */
  other_columns: string;
}

/** How much a workspace has in its trash. Triggers keep it. Without a row, the trash is empty. */
interface TrashSizes {
  workspace_id: string;
  bytes: number;
  entries: number;
}

interface RetentionRules {
  id: string;
  workspace_id: string;
  /** The folder or tag that the rule is for, or empty for the whole workspace. */
  place: string;
  folder_id: string | null;
  tag_id: string | null;
  keep: number | null;
  days: number | null;
  set_by: string;
  set_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    deletions: Deletions;
    trashed_versions: TrashedVersions;
    trash_sizes: TrashSizes;
    retention_rules: RetentionRules;
  }
}
