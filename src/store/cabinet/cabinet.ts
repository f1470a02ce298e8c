import { sql } from "kysely";
import type { Renaming } from "../../domain/cabinet/ports.ts";
import type { Authorized } from "../../domain/model/access.ts";
import { idNotFound } from "../../domain/model/common-failures.ts";
import type { Instant, Membership } from "../../domain/model/entities.ts";
import { foldText } from "../../domain/search/search-text.ts";
import type { Database } from "../engine/schema.ts";

type Cabinets = Authorized<"modify", readonly string[]>;

const drawerNotFound = (id: string) => idNotFound("Drawer", id);
const folderNotFound = (id: string) => idNotFound("Folder", id);

/** Returns the columns that store a title. Changing the title of a drawer or folder must also clear its `label_key`. */
export const titleColumns = (title: string) => ({ title, search_title: foldText(title) });

export async function addDrawer(
  database: Database,
  drawer: { workspace: Authorized<"modify", Membership>; id: string; title: string; now: Instant },
): Promise<void> {
  const { workspace, id, title, now } = drawer;
  await database
    .insertInto("drawers")
    .values({ id, workspace_id: workspace.id, ...titleColumns(title), created_at: now })
    .execute();
}

export async function renameDrawer(database: Database, { cabinets, id, title }: Renaming): Promise<string> {
  const renamed = await database
    .updateTable("drawers")
    .set({ ...titleColumns(title), label_key: null })
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  if (renamed === undefined) throw drawerNotFound(id);
  return renamed.workspace_id;
}

export async function deleteDrawer(
  database: Database,
  { cabinets, id }: { cabinets: Cabinets; id: string },
): Promise<string> {
  await database
    .updateTable("folders")
    .set({ drawer_id: null, label_key: null })
    .where("drawer_id", "=", id)
    .where("workspace_id", "in", cabinets)
    .execute();
  const deleted = await database
    .deleteFrom("drawers")
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  if (deleted === undefined) throw drawerNotFound(id);
  return deleted.workspace_id;
}

async function requireDrawer(database: Database, workspaceId: string, id: string): Promise<void> {
  const drawer = await database
    .selectFrom("drawers")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  if (drawer === undefined) throw drawerNotFound(id);
}

export async function addFolder(
  database: Database,
  folder: {
    workspace: Authorized<"modify", Membership>;
    id: string;
    drawerId: string | null;
    title: string;
    now: Instant;
  },
): Promise<void> {
  const { workspace, id, drawerId, title, now } = folder;
  if (drawerId !== null) await requireDrawer(database, workspace.id, drawerId);
  await database
    .insertInto("folders")
    .values({ id, workspace_id: workspace.id, drawer_id: drawerId, ...titleColumns(title), created_at: now })
    .execute();
}

export async function renameFolder(database: Database, { cabinets, id, title }: Renaming): Promise<string> {
  const renamed = await database
    .updateTable("folders")
    .set({ ...titleColumns(title), label_key: null })
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  if (renamed === undefined) throw folderNotFound(id);
  return renamed.workspace_id;
}

export async function moveFolder(
  database: Database,
  { cabinets, id, drawerId }: { cabinets: Cabinets; id: string; drawerId: string | null },
): Promise<string> {
  const folder = await database
    .updateTable("folders")
    .set({ label_key: null })
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .returning("workspace_id")
    .executeTakeFirst();
  if (folder === undefined) throw folderNotFound(id);
  if (drawerId !== null) await requireDrawer(database, folder.workspace_id, drawerId);
  await database.updateTable("folders").set({ drawer_id: drawerId }).where("id", "=", id).execute();
  return folder.workspace_id;
}

/**
 * Deletes a folder and unfiles its reports. Locks items, the workspace and the folder in the same order as publishing,
 * to avoid deadlocks. Reports published into the folder before the workspace is locked are unfiled too.
 */
export async function deleteFolder(
  database: Database,
  { cabinets, id, now }: { cabinets: Cabinets; id: string; now: Instant },
): Promise<string> {
  const folder = await database
    .selectFrom("folders")
    .select("workspace_id")
    .where("id", "=", id)
    .where("workspace_id", "in", cabinets)
    .executeTakeFirst();
  if (folder === undefined) throw folderNotFound(id);
  await lockItems(database, id);
  await database
    .updateTable("workspaces")
    .set({ default_folder_id: sql`case when default_folder_id = ${id} then null else default_folder_id end` })
    .where("id", "=", folder.workspace_id)
    .execute();
  await unfileAll(database, id, now);
  const deleted = await database.deleteFrom("folders").where("id", "=", id).executeTakeFirst();
  if (deleted.numDeletedRows === 0n) throw folderNotFound(id);
  return folder.workspace_id;
}

async function lockItems(database: Database, folderId: string): Promise<void> {
  await database
    .selectFrom("items")
    .select("id")
    .where("folder_id", "=", folderId)
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
}

async function unfileAll(database: Database, folderId: string, now: Instant): Promise<void> {
  await database
    .updateTable("items")
    .set({ folder_id: null, folder_changed_at: now })
    .where("folder_id", "=", folderId)
    .execute();
}

export async function hasFolder(database: Database, workspaceId: string, id: string): Promise<boolean> {
  const folder = await database
    .selectFrom("folders")
    .select("id")
    .where("id", "=", id)
    .where("workspace_id", "=", workspaceId)
    .executeTakeFirst();
  return folder !== undefined;
}

/** Sets the default folder. Updates the workspace first, so that a concurrent `deleteFolder` waits. */
export async function setDefaultFolder(
  database: Database,
  { workspace, folderId }: { workspace: Authorized<"modify", Membership>; folderId: string | null },
): Promise<void> {
  await database
    .updateTable("workspaces")
    .set({ default_folder_id: folderId })
    .where("id", "=", workspace.id)
    .execute();
  if (folderId !== null && !(await hasFolder(database, workspace.id, folderId))) throw folderNotFound(folderId);
}
