import type { Database } from "../engine/schema.ts";
import { shownTitle } from "../model/rows.ts";
import { changeInIndex } from "../search/index-item.ts";

/** Updates an item from its current version, after another version became current or one of the two changed. */
export async function showCurrentVersion(database: Database, itemId: number): Promise<void> {
  const item = await database
    .selectFrom("items")
    .innerJoin("versions", "versions.code", "items.current_code")
    .select([
      "items.id",
      "items.workspace_id as workspaceId",
      "items.name",
      "items.title as titleBefore",
      shownTitle.as("title"),
      "versions.creator_id as creatorId",
      "versions.visibility",
    ])
    .where("items.id", "=", itemId)
    .executeTakeFirst();
  if (item === undefined) return;
  const { title, creatorId: current_creator_id, visibility: current_visibility } = item;
  await database
    .updateTable("items")
    .set({ title, current_creator_id, current_visibility })
    .where("id", "=", itemId)
    .execute();
  if (title !== item.titleBefore) await changeInIndex(database, item);
}
