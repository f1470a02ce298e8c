import { sql } from "kysely";
import { nameTaken } from "../../domain/model/common-failures.ts";
import type { Instant, Visibility } from "../../domain/model/entities.ts";
import { notAsExpected } from "../../domain/model/expected-code.ts";
import { folderLabel } from "../../domain/model/folders.ts";
import { revisionNotAllowed, workspaceFull } from "../../domain/model/plans.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import { findOrCreateFolder } from "../cabinet/folders.ts";
import { prepared } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { encodeFiles } from "../model/rows.ts";
import { addCodeToIndex, addToIndex, changeInIndex, searchColumns } from "../search/index-item.ts";
import { keepPublished, takeRequestKey } from "./request-keys.ts";

interface Target {
  id: number;
  last_version_no: number;
  visibility: Publication["visibility"];
  /** As it was before this version. */
  search_text: string;
}

/** Adds one version, unless the request has led to one before. */
export async function publish(database: Database, publication: Publication): Promise<Published> {
  const { request, now } = publication;
  if (request === undefined) return publishOnce(database, publication);
  const earlier = await takeRequestKey(database, request, now);
  if (earlier !== undefined) return earlier;
  const published = await publishOnce(database, publication);
  await keepPublished(database, request, published);
  return published;
}

/** To a new item, or to the group that has the name already. */
async function publishOnce(database: Database, publication: Publication): Promise<Published> {
  const target = await claimItem(database, publication);
  const { id: itemId, last_version_no: versionNo, visibility } = target;
  if (versionNo > 1 && !publication.allowsRevisions) throw revisionNotAllowed();
  await addVersion(database, publication, target);
  await makeFound(database, publication, target);
  const { default_folder_id } = await takeFromQuota(database, publication);
  if (versionNo === 1) await fileNewItem(database, publication, itemId, default_folder_id);
  const isFiledElsewhere = versionNo > 1 && (await liesElsewhere(database, publication, itemId));
  const { code, now: createdAt, warnings } = publication;
  return { code, itemId, versionNo, visibility, createdAt, warnings, isFiledElsewhere };
}

/** Makes the item or, under the lock of its row, counts the group's next version. */
async function claimItem(database: Database, publication: Publication): Promise<Target> {
  const { name, expectedCode } = publication;
  if (name === undefined) return insertItem(database, publication).executeTakeFirstOrThrow();
  const target = await claimGroup(database, publication, name).executeTakeFirst();
  if (target !== undefined) return target;
  const taken = await findTaken(database, publication, name);
  // Where the name is used isn't said: a member may not know of all reports in the workspace.
  if (expectedCode === undefined || taken.isForeign) throw nameTaken(name);
  throw notAsExpected(name, expectedCode, taken.currentCode);
}

/** Each way is one statement, so that nobody else can come between looking and writing. */
function claimGroup(database: Database, publication: Publication, name: string) {
  const { code, title, userId, workspaceId, expectedCode, now } = publication;
  const nextVersion = {
    current_code: code,
    last_version_no: sql<number>`items.last_version_no + 1`,
    updated_at: now,
    title,
    current_creator_id: userId,
    current_visibility: sql<Visibility>`items.visibility`,
  };
  if (expectedCode === null) {
    return insertItem(database, publication).onConflict((taken) => taken.column("name").doNothing());
  }
  if (expectedCode !== undefined) {
    return database
      .updateTable("items")
      .set(nextVersion)
      .where("items.name", "=", name)
      .where("items.current_code", "=", expectedCode)
      .where("items.workspace_id", "=", workspaceId)
      .where(mayPublishTo(publication))
      .returning(CLAIMED);
  }
  return insertItem(database, publication).onConflict((taken) =>
    taken
      .column("name")
      .doUpdateSet(nextVersion)
      .where("items.workspace_id", "=", workspaceId)
      .where(mayPublishTo(publication)),
  );
}

const CLAIMED = ["id", "last_version_no", "visibility", "search_text"] as const;

function insertItem(database: Database, publication: Publication) {
  const { name = null, code, title, workspaceId, userId, visibility, now } = publication;
  return database
    .insertInto("items")
    .values({
      workspace_id: workspaceId,
      creator_id: userId,
      name,
      visibility,
      current_code: code,
      last_version_no: 1,
      created_at: now,
      updated_at: now,
      title,
      current_creator_id: userId,
      current_visibility: visibility,
      ...searchColumns({ name, title }),
    })
    .returning(CLAIMED);
}

/** Who stands in a publication's way, as far as whoever publishes may know. */
async function findTaken(database: Database, publication: Publication, name: string) {
  const item = await database
    .selectFrom("items")
    .select(["current_code", "workspace_id", mayPublishTo(publication).as("is_readable")])
    .where("name", "=", name)
    .executeTakeFirst();
  if (item === undefined) return { isForeign: false, currentCode: null };
  const isReadable = item.workspace_id === publication.workspaceId && Boolean(item.is_readable);
  return { isForeign: !isReadable, currentCode: item.current_code };
}

/** Members publish to what they may read; see `mayReadItem`. */
function mayPublishTo({ mayGovern, userId }: Publication) {
  if (mayGovern) return sql<boolean>`1 = 1`;
  return sql<boolean>`(items.creator_id = ${userId} or (items.visibility <> 'private'
    and (items.current_visibility <> 'private' or items.current_creator_id = ${userId})))`;
}

const selectRetired = prepared((database, code: string) =>
  database.selectFrom("retired_codes").select("code").where("code", "=", code),
);

const insertVersion = prepared(
  (
    database,
    code: string,
    item_id: number,
    creator_id: string,
    version_no: number,
    title: string,
    visibility: Visibility,
    size: number,
    files: string,
    stand_ins: string | null,
    created_at: Instant,
  ) =>
    database
      .insertInto("versions")
      .values({ code, item_id, creator_id, version_no, title, visibility, size, files, stand_ins, created_at }),
);

async function addVersion(database: Database, publication: Publication, target: Target): Promise<void> {
  const { code, userId, title, size, now } = publication;
  const files = encodeFiles(publication.files);
  const standIns = publication.standIns === undefined ? null : encodeFiles(publication.standIns);
  const { id, last_version_no, visibility } = target;
  const [retired] = await selectRetired(database, code);
  if (retired) throw new Error(`The code ${code} was given out before.`);
  const row = [code, id, userId, last_version_no, title, visibility, size, files, standIns, now] as const;
  await insertVersion(database, ...row);
}

async function makeFound(database: Database, publication: Publication, target: Target): Promise<void> {
  const { code, title, workspaceId, name = null } = publication;
  const { id, last_version_no, search_text } = target;
  const item = { id, workspaceId, name, title };
  await addCodeToIndex(database, { itemId: id, workspaceId, code });
  if (last_version_no === 1) await addToIndex(database, item);
  else if (searchColumns(item).search_text !== search_text) await changeInIndex(database, item);
}

const selectStoredBytes = prepared((database, workspaceId: string) =>
  database.selectFrom("workspaces").select("stored_bytes").where("id", "=", workspaceId),
);

/** Returns 0 for a workspace that no longer exists. */
export async function findStoredBytes(database: Database, workspaceId: string): Promise<number> {
  const [workspace] = await selectStoredBytes(database, workspaceId);
  return workspace?.stored_bytes ?? 0;
}

const addStoredBytes = prepared((database, size: number, workspaceId: string, most: number) =>
  database
    .updateTable("workspaces")
    .set({ stored_bytes: sql`stored_bytes + ${size}` })
    .where("id", "=", workspaceId)
    .where("stored_bytes", "<=", most)
    .returning("default_folder_id"),
);

async function takeFromQuota(database: Database, { workspaceId, size, quota }: Publication) {
  const [workspace] = await addStoredBytes(database, size, workspaceId, quota - size);
  if (workspace === undefined) throw workspaceFull();
  return workspace;
}

async function fileNewItem(
  database: Database,
  publication: Publication,
  itemId: number,
  defaultFolderId: string | null,
): Promise<void> {
  const { folder, workspaceId, now } = publication;
  if (folder === null || (folder === undefined && defaultFolderId === null)) return;
  const folderId =
    folder === undefined ? defaultFolderId : await findOrCreateFolder(database, { ...folder, workspaceId, now });
  await database
    .updateTable("items")
    .set({ folder_id: folderId, folder_changed_at: now })
    .where("id", "=", itemId)
    .execute();
}

async function liesElsewhere(database: Database, { folder }: Publication, itemId: number): Promise<boolean> {
  if (folder === undefined) return false;
  const current = await database
    .selectFrom("items")
    .innerJoin("folders", "folders.id", "items.folder_id")
    .leftJoin("drawers", "drawers.id", "folders.drawer_id")
    .select(["folders.title", "drawers.title as drawerTitle"])
    .where("items.id", "=", itemId)
    .executeTakeFirst();
  const wanted = folder && folderLabel({ title: folder.folder, drawerTitle: folder.drawer });
  return wanted !== (current ? folderLabel(current) : null);
}
