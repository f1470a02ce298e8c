import { type Selectable, sql } from "kysely";
import type { Visibility } from "../../domain/model/entities.ts";
import { engineOf } from "../engine/engine.ts";
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

/** The columns of `versions` that `trashed_versions` has too. */
const OWN_COLUMNS = ["code", "item_id", "version_no", "size", "files", "stand_ins"] as const;

type OtherColumn = Exclude<keyof VersionRow, (typeof OWN_COLUMNS)[number]>;

const OTHER_COLUMNS = Object.keys({
  creator_id: true,
  title: true,
  visibility: true,
  storage: true,
  note: true,
  warnings: true,
  organization_id: true,
  created_at: true,
  protected_at: true,
} satisfies Record<OtherColumn, true>);

/**
 * Keeps versions whose rows are about to be deleted, each with its deletion. The database copies them, because the lists
 * of files of many versions are too long for the event loop.
 */
export async function keepVersions(
  database: Database,
  kept: readonly (readonly [code: string, deletionId: string])[],
): Promise<void> {
  const engine = engineOf(database);
  // Replicas of the next release may have added columns that this one doesn't know.
  const others =
    engine.name === "postgres"
      ? sql`(to_jsonb(versions) - ${sql.lit(`{${OWN_COLUMNS.join(",")}}`)}::text[])::text`
      : sql`json_object(${sql.join(OTHER_COLUMNS.flatMap((column) => [sql.lit(column), sql.ref(`versions.${column}`)]))})`;
  const names = sql.join(OWN_COLUMNS.map((column) => sql.ref(column)));
  const own = sql.join(OWN_COLUMNS.map((column) => sql.ref(`versions.${column}`)));
  await inChunks(kept, async (chunk) => {
    const listed = engine.rowsOf(JSON.stringify(chunk));
    await sql`insert into trashed_versions (${names}, deletion_id, other_columns)
      select ${own}, kept.value ->> 1, ${others}
      from ${listed} as kept inner join versions on versions.code = kept.value ->> 0`.execute(database);
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
