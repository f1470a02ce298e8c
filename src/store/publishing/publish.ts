import { type SqlBool, sql } from "kysely";
import { nameTaken } from "../../domain/model/common-failures.ts";
import { notAsExpected } from "../../domain/model/expected-code.ts";
import { conflict } from "../../domain/model/failure.ts";
import { folderLabel } from "../../domain/model/folders.ts";
import { revisionNotAllowed, workspaceFull } from "../../domain/model/plans.ts";
import type { Publication, Published, UploadTarget } from "../../domain/publishing/ports.ts";
import { findOrCreateFolder } from "../cabinet/folders.ts";
import { prepared, preparedInsert, preparedOver } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { encodeWarnings } from "../model/rows.ts";
import { setAddressed } from "../reviews/change.ts";
import { addCodeToIndex, addToIndex, changeInIndex } from "../search/index-item.ts";
import { keepPublished, takeRequestKey } from "./request-keys.ts";
import {
  CLAIMED,
  type ClaimedReport,
  insertReport,
  mayPublishTo,
  nextVersion,
  type PublicationRow,
  selectRetired,
  takeFromQuota,
  toPublicationRow,
  toPublished,
  valuesOf,
  versionRow,
} from "./rows.ts";

interface Target extends ClaimedReport {
  /** The text that the report was found by before this version. */
  search_text: string;
  display_title: string | null;
}

/** Adds one version, unless an earlier request with the same key already did. This transaction defines what a publish is. */
export async function publish(database: Database, publication: Publication): Promise<Published> {
  const { request, now } = publication;
  if (request === undefined) return publishOnce(database, publication);
  const earlier = await takeRequestKey(database, request, now);
  if (earlier !== undefined) return earlier;
  const published = await publishOnce(database, publication);
  await keepPublished(database, request, published);
  return published;
}

async function publishOnce(database: Database, publication: Publication): Promise<Published> {
  const row = toPublicationRow(publication);
  const target = await claimReport(database, publication, row);
  const isNew = target.last_version_no === 1;
  if (!isNew && !publication.allowsRevisions) throw revisionNotAllowed();
  await addVersion(database, row, target);
  await index(database, row, target);
  await chargeQuota(database, row);
  await noteAddressed(database, publication, target);
  if (isNew) await fileNewReport(database, publication, target.id);
  const isFiledElsewhere = !isNew && (await liesElsewhere(database, publication, target.id));
  if (isFiledElsewhere) await keepFolderWarning(database, publication, target);
  return { ...toPublished(publication, target), isFiledElsewhere };
}

/** Notes which threads the version addresses. Throws `Conflict` if the name went to another report meanwhile. */
async function noteAddressed(database: Database, { addressed, now }: Publication, target: Target): Promise<void> {
  if (addressed === undefined) return;
  if (addressed.scope.itemId !== target.id) {
    throw conflict("The report was renamed or deleted meanwhile. List its comments again for addresses.");
  }
  await setAddressed(database, { ...addressed, versionNo: target.last_version_no, now });
}

/** Adds the warning about the folder to those that the version keeps, because it is known last. */
async function keepFolderWarning(database: Database, publication: Publication, { visibility }: Target): Promise<void> {
  const { code, warnings, ignored } = publication;
  const all = [...warnings, ignored.visibility[visibility], ignored.folder].filter((warning) => warning !== undefined);
  await database
    .updateTable("versions")
    .set({ warnings: encodeWarnings(all) })
    .where("code", "=", code)
    .execute();
}

const insertUnnamed = preparedOver<PublicationRow, Target>(insertReport);

const insertOrRevise = preparedOver<PublicationRow, Target>((database, given) =>
  insertReport(database, given).onConflict((taken) =>
    taken.column("name").doUpdateSet(nextVersion(given)).where(mayPublishTo(given)),
  ),
);

/**
 * Creates the report or, under the lock of its row, counts its next version. Each case is one statement, so that no other
 * publish can come between checking and writing.
 */
async function claimReport(database: Database, publication: Publication, row: PublicationRow): Promise<Target> {
  const { name, expectedCode } = publication;
  const [target] =
    name === undefined
      ? await insertUnnamed(database, row)
      : expectedCode === undefined
        ? await insertOrRevise(database, row)
        : await claimExpected(database, row, name, expectedCode).execute();
  if (target !== undefined) return target;
  if (name === undefined) throw new Error("A report without a name was not inserted.");
  const taken = await findTaken(database, row, name);
  // The message doesn't say where the name is used: members may not know about every report in the workspace.
  if (expectedCode === undefined || taken.isForeign) throw nameTaken(name);
  throw notAsExpected(name, expectedCode, taken.currentCode);
}

function claimExpected(database: Database, row: PublicationRow, name: string, expectedCode: string | null) {
  const given = valuesOf(row);
  if (expectedCode === null) {
    // A user has each sample report once in a workspace.
    return insertReport(database, given).onConflict((taken) =>
      row.sample === null ? taken.column("name").doNothing() : taken.doNothing(),
    );
  }
  return database
    .updateTable("items")
    .set(nextVersion(given))
    .where("items.name", "=", name)
    .where("items.current_code", "=", expectedCode)
    .where(mayPublishTo(given))
    .returning(CLAIMED);
}

/** Returns what the publisher may know about the report that has the name. */
async function findTaken(database: Database, row: PublicationRow, name: string) {
  const item = await database
    .selectFrom("items")
    .select(["current_code", sql<SqlBool>`${mayPublishTo(valuesOf(row))}`.as("is_readable")])
    .where("name", "=", name)
    .executeTakeFirst();
  if (item === undefined) return { isForeign: false, currentCode: null };
  return { isForeign: !item.is_readable, currentCode: item.current_code };
}

const findRetired = prepared((database, code: string) => selectRetired(database, valuesOf({ code })));

const insertVersion = preparedInsert("versions");

async function addVersion(database: Database, row: PublicationRow, target: Target): Promise<void> {
  const [retired] = await findRetired(database, row.code);
  if (retired) throw new Error(`The code ${row.code} belonged to a deleted version.`);
  const isFirst = target.last_version_no === 1 || row.kept_with_visibility === null;
  const warnings = isFirst ? row.kept_warnings : row.kept_with_visibility?.[target.visibility];
  const storage = row.storage ?? target.storage;
  await insertVersion(database, { ...versionRow(valuesOf(row), valuesOf(target), warnings ?? null), storage });
}

async function index(database: Database, row: PublicationRow, target: Target): Promise<void> {
  const { code, title, workspace_id: workspaceId, name } = row;
  const item = { id: target.id, workspaceId, name, title };
  await addCodeToIndex(database, { itemId: target.id, workspaceId, code });
  if (target.last_version_no === 1) await addToIndex(database, item);
  else if (target.display_title === null && row.search_text !== target.search_text) await changeInIndex(database, item);
}

const selectTarget = prepared((database, name: string, workspaceId: string) =>
  database
    .selectFrom("workspaces")
    .leftJoin("items", (join) => join.onRef("items.workspace_id", "=", "workspaces.id").on("items.name", "=", name))
    .select([
      "workspaces.stored_bytes as storedBytes",
      "workspaces.default_visibility as defaultVisibility",
      "items.storage",
    ])
    .where("workspaces.id", "=", workspaceId),
);

/** Returns what an upload has to know of its workspace, or of one that no longer exists, and of the report with the name. */
export async function findTarget(
  database: Database,
  { workspaceId, name }: { workspaceId: string; name: string | undefined },
): Promise<UploadTarget> {
  // No report has an empty name.
  const [target] = await selectTarget(database, name ?? "", workspaceId);
  return target ?? { storedBytes: 0, defaultVisibility: null, storage: null };
}

const addStoredBytes = prepared((database, size: number, workspace_id: string, most_stored_bytes: number) =>
  takeFromQuota(database, valuesOf({ size, workspace_id, most_stored_bytes })),
);

async function chargeQuota(database: Database, { size, workspace_id, most_stored_bytes }: PublicationRow) {
  const [workspace] = await addStoredBytes(database, size, workspace_id, most_stored_bytes);
  if (workspace === undefined) throw workspaceFull();
}

/** Moves a new report out of the default folder if the publication names another place. */
async function fileNewReport(database: Database, publication: Publication, itemId: number): Promise<void> {
  const { folder, workspaceId, now } = publication;
  if (folder === undefined) return;
  const folder_id = folder === null ? null : await findOrCreateFolder(database, { ...folder, workspaceId, now });
  await database
    .updateTable("items")
    .set({ folder_id, folder_changed_at: folder === null ? null : now })
    .where("id", "=", itemId)
    .execute();
}

/** Returns whether a report is filed in another folder than the publication names. */
async function liesElsewhere(database: Database, { folder }: Publication, itemId: number): Promise<boolean> {
  if (folder === undefined) return false;
  const current = await database
    .selectFrom("items")
    .innerJoin("folders", "folders.id", "items.folder_id")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.title", "drawers.title as drawerTitle"])
    .where("items.id", "=", itemId)
    .executeTakeFirst();
  const requested = folder && folderLabel({ title: folder.folder, drawerTitle: folder.drawer });
  return requested !== (current ? folderLabel(current) : null);
}
