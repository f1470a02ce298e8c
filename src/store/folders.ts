import type { WantedFolder } from "../domain/ports.ts";
import { foldText } from "../domain/search-text.ts";
import type { Database } from "./schema.ts";

interface FolderWanted extends WantedFolder {
  workspaceId: string;
  now: number;
}

/** The id of the folder that a legacy label names; it and its drawer are made where they are missing. */
export async function findOrCreateFolder(database: Database, wanted: FolderWanted): Promise<string> {
  const { drawer } = wanted;
  const drawerId = drawer === null ? null : await findOrCreateDrawer(database, wanted, drawer);
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
    .values({
      id: newDrawerId,
      workspace_id: workspaceId,
      title,
      search_title: foldText(title),
      label_key: title,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "label_key"]).doNothing())
    .execute();
  return (await find())?.id ?? newDrawerId;
}

async function findFolder(database: Database, wanted: FolderWanted, drawerId: string | null) {
  const found = await database
    .selectFrom("folders")
    .select("id")
    .where("workspace_id", "=", wanted.workspaceId)
    .where("title", "=", wanted.folder)
    .where("drawer_id", drawerId === null ? "is" : "=", drawerId)
    .orderBy("created_at")
    .orderBy("id")
    .executeTakeFirst();
  return found?.id;
}

async function createFolder(database: Database, wanted: FolderWanted, drawerId: string | null): Promise<string> {
  const { workspaceId, folder, newFolderId, now } = wanted;
  await database
    .insertInto("folders")
    .values({
      id: newFolderId,
      workspace_id: workspaceId,
      drawer_id: drawerId,
      title: folder,
      search_title: foldText(folder),
      label_key: `${drawerId ?? ""}/${folder}`,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(["workspace_id", "label_key"]).doNothing())
    .execute();
  return (await findFolder(database, wanted, drawerId)) ?? newFolderId;
}
