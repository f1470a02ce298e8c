import { sql } from "kysely";
import { conflict, quotaFull } from "../domain/failure.ts";
import type { Instant, Visibility } from "../domain/model.ts";
import { revisionNotAllowed } from "../domain/plans.ts";
import type { Publication, Published } from "../domain/ports.ts";
import { findOrCreateFolder } from "./folders.ts";
import { prepared } from "./prepared.ts";
import { encodeFiles } from "./rows.ts";
import type { Database } from "./schema.ts";
import { addCodeToIndex, addToIndex, changeInIndex, searchColumns } from "./search/index-item.ts";

interface Target {
  id: number;
  last_version_no: number;
  visibility: Publication["visibility"];
  /** As it was before this version. */
  search_text: string;
}

/** Adds one version: to a new item, or to the group that has the name already. */
export async function publish(database: Database, publication: Publication): Promise<Published> {
  const target = await claimItem(database, publication);
  if (target.last_version_no > 1 && !publication.allowsRevisions) throw revisionNotAllowed();
  await addVersion(database, publication, target);
  await makeFound(database, publication, target);
  const { default_folder_id } = await takeFromQuota(database, publication);
  if (target.last_version_no === 1) await fileNewItem(database, publication, target.id, default_folder_id);
  return { itemId: target.id, versionNo: target.last_version_no, visibility: target.visibility };
}

/** Makes the item or, under the lock of its row, counts the group's next version. */
async function claimItem(database: Database, publication: Publication): Promise<Target> {
  const { name, code, title, workspaceId, userId, visibility, now } = publication;
  const insert = database
    .insertInto("items")
    .values({
      workspace_id: workspaceId,
      creator_id: userId,
      name: name ?? null,
      visibility,
      current_code: code,
      last_version_no: 1,
      created_at: now,
      updated_at: now,
      title,
      current_creator_id: userId,
      current_visibility: visibility,
      ...searchColumns({ name: name ?? null, title }),
    })
    .returning(["id", "last_version_no", "visibility", "search_text"]);
  const target =
    name === undefined
      ? await insert.executeTakeFirst()
      : await insert
          .onConflict((taken) =>
            taken
              .column("name")
              .doUpdateSet({
                current_code: code,
                last_version_no: sql`items.last_version_no + 1`,
                updated_at: now,
                title,
                current_creator_id: userId,
                current_visibility: sql`items.visibility`,
              })
              .where("items.workspace_id", "=", workspaceId)
              .where(mayPublishTo(publication)),
          )
          .executeTakeFirst();
  if (target === undefined) throw conflict(`The name "${name}" is taken by another account.`);
  return target;
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
    created_at: Instant,
  ) =>
    database
      .insertInto("versions")
      .values({ code, item_id, creator_id, version_no, title, visibility, size, files, created_at }),
);

async function addVersion(database: Database, publication: Publication, target: Target): Promise<void> {
  const { code, userId, title, size, files, now } = publication;
  const { id, last_version_no, visibility } = target;
  const [retired] = await selectRetired(database, code);
  if (retired) throw new Error(`The code ${code} was given out before.`);
  await insertVersion(database, code, id, userId, last_version_no, title, visibility, size, encodeFiles(files), now);
}

async function makeFound(database: Database, publication: Publication, target: Target): Promise<void> {
  const { code, title, workspaceId, name = null } = publication;
  const { id, last_version_no, search_text } = target;
  const item = { id, workspaceId, name, title };
  await addCodeToIndex(database, { itemId: id, workspaceId, code });
  if (last_version_no === 1) await addToIndex(database, item);
  else if (searchColumns(item).search_text !== search_text) await changeInIndex(database, item);
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
  if (workspace === undefined) throw quotaFull("The workspace's storage quota is full; nothing was stored.");
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
