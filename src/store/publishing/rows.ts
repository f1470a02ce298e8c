import { type Expression, sql } from "kysely";
import type { Visibility } from "../../domain/model/entities.ts";
import type { StorageMode } from "../../domain/model/storage-mode.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import type { Source } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { readableItemBy } from "../model/readable.ts";
import { bigInteger, encodeFiles, encodeWarnings } from "../model/rows.ts";
import { searchColumns } from "../search/index-item.ts";

/** Returns a source of plain values. */
export const valuesOf =
  <Row>(row: Row): Source<Row> =>
  (column) =>
    row[column];

/** A publication in the form in which the database takes it. */
export interface PublicationRow {
  code: string;
  name: string | null;
  title: string;
  note: string | null;
  storage: StorageMode | null;
  sample: string | null;
  workspace_id: string;
  user_id: string;
  visibility: Visibility;
  now: number;
  size: number;
  /** Bytes that the workspace may hold before this publish. */
  most_stored_bytes: number;
  files: string;
  stand_ins: string | null;
  warnings: readonly string[];
  /** The warnings to keep with the first version of a report. */
  kept_warnings: string | null;
  /** The warnings to keep with a later version, by the visibility of its report; null if they are the same. */
  kept_with_visibility: Readonly<Record<Visibility, string | null>> | null;
  may_govern: boolean;
  search_text: string;
  sort_title: string;
  sort_name: string;
}

/** Returns a publication in the form in which the database takes it. */
export function toPublicationRow(publication: Publication): PublicationRow {
  const { name = null, title, standIns } = publication;
  return {
    code: publication.code,
    name,
    title,
    note: publication.note ?? null,
    storage: publication.storage ?? null,
    sample: publication.sample ?? null,
    workspace_id: publication.workspaceId,
    user_id: publication.userId,
    visibility: publication.visibility,
    now: publication.now,
    size: publication.size,
    most_stored_bytes: publication.quota - publication.size,
    files: encodeFiles(publication.files),
    stand_ins: standIns === undefined ? null : encodeFiles(standIns),
    warnings: publication.warnings,
    kept_warnings: encodeWarnings(publication.warnings),
    kept_with_visibility: keptWithVisibility(publication),
    may_govern: publication.mayGovern,
    ...searchColumns({ name, title }),
  };
}

function keptWithVisibility({ warnings, ignored: { visibility } }: Publication) {
  if (Object.keys(visibility).length === 0) return null;
  const kept = (sentence: string | undefined) =>
    encodeWarnings(sentence === undefined ? warnings : [...warnings, sentence]);
  return { public: kept(visibility.public), private: kept(visibility.private), org: kept(visibility.org) };
}

/** The report that a publish adds a version to, with that version already counted. */
export interface ClaimedReport {
  id: number;
  last_version_no: number;
  visibility: Visibility;
  /** The storage of versions whose upload names none. */
  storage: StorageMode | null;
}

/** Whether someone has given the report a title, which its versions don't change. */
export const hasDisplayTitle = sql<boolean>`items.display_title is not null`;

/** Returns the insertion of a new report, filed in the workspace's default folder if it has one. */
export const insertReport = (database: Database, given: Source<PublicationRow>) =>
  database
    .insertInto("items")
    .values({
      workspace_id: given("workspace_id"),
      creator_id: given("user_id"),
      name: given("name"),
      visibility: given("visibility"),
      current_code: given("code"),
      last_version_no: sql.lit(1),
      created_at: given("now"),
      updated_at: given("now"),
      title: given("title"),
      sample: given("sample"),
      current_creator_id: given("user_id"),
      current_visibility: given("visibility"),
      search_text: given("search_text"),
      sort_title: given("sort_title"),
      sort_name: given("sort_name"),
      folder_id: sql`(select default_folder_id from workspaces where id = ${given("workspace_id")})`,
      folder_changed_at: sql`(select case when default_folder_id is not null then ${bigInteger(given("now"))} end
        from workspaces where id = ${given("workspace_id")})`,
    })
    .returning(CLAIMED);

/** The columns of a claimed report. */
export const CLAIMED = ["id", "last_version_no", "visibility", "storage", "search_text", "display_title"] as const;

/** Returns what a report's next version changes about it, except what it is found by. */
export const nextVersion = (given: Source<PublicationRow>) => ({
  current_code: given("code"),
  last_version_no: sql<number>`items.last_version_no + 1`,
  updated_at: given("now"),
  title: sql<string>`coalesce(items.display_title, ${given("title")})`,
  current_creator_id: given("user_id"),
  current_visibility: sql<Visibility>`items.visibility`,
});

/** Returns the condition for a new version: members may publish to the reports of the workspace that they may read. */
export const mayPublishTo = (given: Source<PublicationRow>) =>
  sql<boolean>`items.workspace_id = ${given("workspace_id")}
    and ${readableItemBy({ userId: given("user_id"), governs: given("may_govern") })}`;

/** Returns the row of a new version. */
export const versionRow = (
  given: Source<PublicationRow>,
  report: Source<ClaimedReport>,
  warnings: string | null | Expression<string | null>,
) => ({
  code: given("code"),
  item_id: report("id"),
  creator_id: given("user_id"),
  version_no: report("last_version_no"),
  title: given("title"),
  note: given("note"),
  visibility: report("visibility"),
  storage: sql<StorageMode | null>`coalesce(${given("storage")}, ${report("storage")})`,
  size: given("size"),
  files: given("files"),
  stand_ins: given("stand_ins"),
  warnings,
  created_at: given("now"),
});

/** Returns the change that takes a publication's bytes from the quota; it changes no row if they don't fit. */
export const takeFromQuota = (
  database: Database,
  given: Source<Pick<PublicationRow, "size" | "workspace_id" | "most_stored_bytes">>,
) =>
  database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes + ${given("size")}` })
    .where("id", "=", given("workspace_id"))
    .where("stored_bytes", "<=", given("most_stored_bytes"))
    .returning("id");

/** Returns the query that finds the code among those of deleted versions, which are never used again. */
export const selectRetired = (database: Database, given: Source<Pick<PublicationRow, "code">>) =>
  database.selectFrom("retired_codes").select("code").where("code", "=", given("code"));

/** Returns the outcome of a publication that added this version. */
export const toPublished = (
  { code, now: createdAt, warnings }: Publication,
  { id: itemId, last_version_no: versionNo, visibility }: ClaimedReport,
): Published => ({ code, itemId, versionNo, visibility, createdAt, warnings, isFiledElsewhere: false });
