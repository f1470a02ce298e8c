import { type Expression, type Selectable, sql } from "kysely";
import type { VersionOfItem } from "../../domain/model/access.ts";
import type { Person } from "../../domain/model/entities.ts";
import type { FileEntry } from "../../domain/model/files.ts";
import type { StorageMode } from "../../domain/model/storage-mode.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { type SharingRow, sharingColumns, toSharing } from "./personal.ts";

/** Returns a file index in its stored form. */
export const encodeFiles = (files: readonly FileEntry[]): string =>
  JSON.stringify(files.map(({ path, size, digest }) => [path, size, digest]));

/** Returns a file index from its stored form; `start` is the offset of its first file in the object. */
export function decodeFiles(text: string, start = 0): FileEntry[] {
  const stored: [path: string, size: number, digest: string][] = JSON.parse(text);
  let offset = start;
  return stored.map(([path, size, digest]) => {
    const entry = { path, offset, size, digest };
    offset += size;
    return entry;
  });
}

/** Returns the contents of a version's object: its files, then the stand-ins of some pages. */
export function decodeObject(row: { files: string; size: number; stand_ins: string | null }) {
  const standIns = row.stand_ins === null ? [] : decodeFiles(row.stand_ins, row.size);
  return { files: decodeFiles(row.files), standIns };
}

/** Characters of JSON that a version keeps of its warnings: several times what the analysis of a report says. */
const WARNING_CHARACTERS = 20_000;

/** Returns warnings in their stored form, without those that exceed its size; null for none. */
export function encodeWarnings(warnings: readonly string[]): string | null {
  if (warnings.length === 0) return null;
  const text = JSON.stringify(warnings);
  return text.length > WARNING_CHARACTERS ? encodeWarnings(warnings.slice(0, -1)) : text;
}

/** Returns warnings from their stored form. */
export const decodeWarnings = (text: string | null): string[] => (text === null ? [] : JSON.parse(text));

/** Selects the storage mode of the `versions` that a query joins. */
export const storageMode = sql<StorageMode>`coalesce(versions.storage,
  case when versions.stand_ins is null then 'none' else 'memory' end)`.as("storage");

/** Selects the title that a report is shown with, of `items` joined with a version. `titleOf` is the same rule. */
export const shownTitle = sql<string>`coalesce(items.display_title, versions.title)`;

/** Joins reports with their versions; the caller chooses one version of each. */
export const selectVersionOfItem = (database: Database) =>
  database
    .selectFrom("items")
    .innerJoin("versions", "versions.item_id", "items.id")
    .select([
      "items.id",
      "items.workspace_id",
      "items.creator_id",
      "items.name",
      "items.visibility",
      "items.organization_id",
      "items.current_code",
      "items.folder_id",
      "items.folder_changed_at",
      "items.display_title",
      "items.protected_at",
      "items.created_at",
      "items.updated_at",
      "versions.code",
      "versions.version_no",
      "versions.title",
      "versions.creator_id as version_creator_id",
      "versions.visibility as version_visibility",
      "versions.created_at as version_created_at",
      "versions.protected_at as version_protected_at",
      storageMode,
    ]);

type VersionOfItemRow = Pick<
  Selectable<Schema["items"]>,
  | "id"
  | "workspace_id"
  | "creator_id"
  | "name"
  | "visibility"
  | "organization_id"
  | "current_code"
  | "folder_id"
  | "folder_changed_at"
  | "display_title"
  | "protected_at"
  | "created_at"
  | "updated_at"
> &
  Pick<Selectable<Schema["versions"]>, "code" | "version_no" | "title"> & {
    version_creator_id: string;
    version_visibility: Selectable<Schema["versions"]>["visibility"];
    version_created_at: number;
    version_protected_at: number | null;
    storage: StorageMode;
  };

export function toVersionOfItem(row: VersionOfItemRow): VersionOfItem {
  return {
    item: {
      id: row.id,
      workspaceId: row.workspace_id,
      creatorId: row.creator_id,
      name: row.name,
      visibility: row.visibility,
      organizationId: row.organization_id,
      currentCode: row.current_code,
      folderId: row.folder_id,
      folderChangedAt: row.folder_changed_at,
      displayTitle: row.display_title,
      protectedAt: row.protected_at,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    },
    version: {
      code: row.code,
      creatorId: row.version_creator_id,
      versionNo: row.version_no,
      title: row.title,
      visibility: row.version_visibility,
      storage: row.storage,
      protectedAt: row.version_protected_at,
      createdAt: row.version_created_at,
    },
  };
}

/** Joins reports with their versions and, if there is a person, looks up how they are shared with that person. */
export const selectFor = (database: Database, person?: Person) =>
  selectVersionOfItem(database).$if(person !== undefined, (query) =>
    query
      .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
      .select(["workspaces.slug as owner_slug", ...sharingColumns(toOperands(person))]),
  );

/** Returns a person as a query takes them. */
const toOperands = (person?: Person) => ({
  userId: person?.userId ?? "",
  email: person?.verifiedEmail ?? null,
});

/** Returns a version with what was looked up for a person. */
export const toFound = (row: VersionOfItemRow & Partial<SharingRow> & { owner_slug?: string }): VersionOfItem => ({
  ...toVersionOfItem(row),
  ...(row.owner_slug === undefined ? {} : { ownerSlug: row.owner_slug, sharing: toSharing(row) }),
});

/** Returns a value as a big integer, for places where an engine can't infer a parameter's type. */
export const bigInteger = (value: number | Expression<number>) => sql<number>`cast(${value} as bigint)`;

interface Titled {
  id: string | null;
  search_title: string;
}

/** Orders by folded title. The databases can't: each has its own order of letters. */
export function byTitle(a: Titled, b: Titled): number {
  if (a.search_title !== b.search_title) return a.search_title < b.search_title ? -1 : 1;
  return (a.id ?? "") < (b.id ?? "") ? -1 : 1;
}
