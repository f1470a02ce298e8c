import { sql } from "kysely";
import { idNotFound } from "../../domain/model/common-failures.ts";
import type { RequestedPlace, Search } from "../../domain/search/ports.ts";
import type { Database } from "../engine/schema.ts";

/** The folders and tags to which a search is limited. */
export interface RequestedPlaceIds {
  /** Undefined for any folder, null for items without a folder. */
  folderIds: readonly string[] | null | undefined;
  /** An item must have at least one tag of each list. */
  tagIds: readonly (readonly string[])[];
}

/** Returns the folders and tags of a search. Throws `NotFound` if one is not in the workspace. */
export async function findPlaces(database: Database, search: Search): Promise<RequestedPlaceIds> {
  const { workspaceId, place, tagIds, withSubtrees } = search;
  const folderIds = await findFolderIds(database, workspaceId, place);
  if (tagIds.length === 0) return { folderIds, tagIds: [] };
  await requireTags(database, workspaceId, tagIds);
  if (!withSubtrees) return { folderIds, tagIds: tagIds.map((id) => [id]) };
  const subtrees: string[][] = [];
  for (const id of tagIds) subtrees.push(await findSubtree(database, id));
  return { folderIds, tagIds: subtrees };
}

async function findFolderIds(database: Database, workspaceId: string, place: RequestedPlace | undefined) {
  if (place === undefined || place === null) return place;
  if ("folderId" in place) {
    const found = await database
      .selectFrom("folders")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("id", "=", place.folderId)
      .executeTakeFirst();
    if (found === undefined) throw idNotFound("Folder", place.folderId);
    return [found.id];
  }
  const drawer = await database
    .selectFrom("drawers")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", place.drawerId)
    .executeTakeFirst();
  if (drawer === undefined) throw idNotFound("Drawer", place.drawerId);
  const folders = await database.selectFrom("folders").select("id").where("drawer_id", "=", drawer.id).execute();
  return folders.map(({ id }) => id);
}

async function requireTags(database: Database, workspaceId: string, tagIds: readonly string[]): Promise<void> {
  const found = await database
    .selectFrom("tags")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", tagIds)
    .execute();
  const missing = tagIds.find((id) => !found.some((tag) => tag.id === id));
  if (missing !== undefined) throw idNotFound("Tag", missing);
}

async function findSubtree(database: Database, tagId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive subtree (id) as (
      select id from tags where id = ${tagId}
      union
      select tags.id from tags join subtree on tags.parent_id = subtree.id
    )
    select id from subtree`.execute(database);
  return rows.map(({ id }) => id);
}
