import type { Insertable, Selectable } from "kysely";
import type { Visibility } from "../../domain/model/entities.ts";
import { insertRows } from "../engine/insert-rows.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { inChunks, type Rows } from "./belongings.ts";

export type ItemRow = Selectable<Schema["items"]>;
export type VersionRow = Selectable<Schema["versions"]>;
export type ShortcutRow = Selectable<Schema["shortcuts"]>;

/** Rows as they were when they were deleted. Versions are in `trashed_versions`. */
export interface Snapshot {
  items: ItemRow[];
  shortcuts: ShortcutRow[];
  /** Other rows by table. */
  belongings: Record<string, Rows>;
  /** For a version of a report that stays. */
  version?: {
    /** The visibility that the report had. */
    reportVisibility: Visibility;
    /** The organization that the report was shared with. Missing in deletions of the release before. */
    reportOrganization?: string | null;
    /** The code that became current instead of the version, if that was current. */
    succeededBy?: string | undefined;
  };
}

/** The snapshot of the release before, which had the versions in it. */
interface FormerSnapshot {
  items: ItemRow[];
  shortcuts: ShortcutRow[];
  versions: VersionRow[];
  itemTags: Rows;
}

export const encodeSnapshot = (snapshot: Snapshot): string => JSON.stringify(snapshot);

/** Returns a snapshot and the versions in it from its stored form. */
export function decodeSnapshot(text: string): { snapshot: Snapshot; versions: VersionRow[] } {
  const stored: Snapshot | FormerSnapshot = JSON.parse(text);
  if (!("versions" in stored)) return { snapshot: stored, versions: [] };
  const { items, shortcuts, versions, itemTags } = stored;
  return { snapshot: { items, shortcuts, belongings: { item_tags: itemTags } }, versions };
}

/** Keeps versions whose rows are about to be deleted. */
export async function keepVersions(
  database: Database,
  kept: readonly { deletionId: string; version: VersionRow }[],
): Promise<void> {
  await inChunks(kept, async (chunk) => {
    const rows = chunk.map(({ deletionId: deletion_id, version }): Insertable<Schema["trashed_versions"]> => {
      const { code, item_id, version_no, size, files, stand_ins, ...others } = version;
      const other_columns = JSON.stringify(others);
      return { code, deletion_id, item_id, version_no, size, files, stand_ins, other_columns };
    });
    await insertRows(database, "trashed_versions", rows);
  });
}

/** Returns the versions of deletions, in the order of their numbers. */
export async function readKeptVersions(database: Database, deletionIds: readonly string[]): Promise<VersionRow[]> {
  const versions: VersionRow[] = [];
  await inChunks(deletionIds, async (chunk) => {
    const rows = await database
      .selectFrom("trashed_versions")
      .selectAll()
      .where("deletion_id", "in", chunk)
      .orderBy("item_id")
      .orderBy("version_no")
      .execute();
    for (const { deletion_id: _, other_columns, ...version } of rows) {
      const others: Omit<VersionRow, keyof typeof version> = JSON.parse(other_columns);
      versions.push({ ...others, ...version });
    }
  });
  return versions;
}
