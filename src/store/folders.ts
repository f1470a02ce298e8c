import type { FolderPath } from "../domain/ports.ts";
import type { Database } from "./schema.ts";

interface FolderWanted {
  workspaceId: string;
  path: FolderPath;
  newDrawerId: string;
  newFolderId: string;
  now: number;
}

/** The id of the folder that a legacy label names; it and its drawer are made where they are missing. */
export async function findOrCreateFolder(database: Database, wanted: FolderWanted): Promise<string> {
  const { path } = wanted;
  const drawerId = path.drawer === null ? null : await findOrCreateDrawer(database, wanted, path.drawer);
  return (await findFolder(database, wanted, drawerId)) ?? createFolder(database, wanted, drawerId);
}

async function findOrCreateDrawer(database: Database, wanted: FolderWanted, title: string): Promise<string> {
  const { workspaceId, newDrawerId, now } = wanted;
  const find = () =>
    database
      .selectFrom("drawers")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("title", "=", title)
      .orderBy("created_at")
      .orderBy("id")
      .executeTakeFirst();
  const found = await find();
  if (found) return found.id;
  await database
    .insertInto("drawers")
    .values({ id: newDrawerId, workspace_id: workspaceId, title, label_key: title, created_at: now })
    .onConflict((conflict) => conflict.columns(["workspace_id", "label_key"]).doNothing())
    .execute();
  return (await find())?.id ?? newDrawerId;
}

async function findFolder(database: Database, wanted: FolderWanted, drawerId: string | null) {
  const found = await database
    .selectFrom("folders")
    .select("id")
    .where("workspace_id", "=", wanted.workspaceId)
    .where("title", "=", wanted.path.folder)
    .where("drawer_id", drawerId === null ? "is" : "=", drawerId)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  return found?.id;
}

async function createFolder(database: Database, wanted: FolderWanted, drawerId: string | null): Promise<string> {
  const { workspaceId, path, newFolderId, now } = wanted;
  await database
    .insertInto("folders")
    .values({
      id: newFolderId,
      workspace_id: workspaceId,
      drawer_id: drawerId,
      title: path.folder,
      label_key: `${drawerId ?? ""}/${path.folder}`,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "label_key"]).doNothing())
    .execute();
  return (await findFolder(database, wanted, drawerId)) ?? newFolderId;
}
