import type { Tag } from "../../domain/model/entities.ts";
import type { FoundItem } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import { preparedOn } from "../engine/prepared.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";

const selectShown = preparedOn((database, engine, ids: string) =>
  database
    .selectFrom("items")
    .leftJoin("folders", "folders.id", "items.folder_id")
    .leftJoin("thumbnails", "thumbnails.code", "items.current_code")
    .select((select) => [
      "items.id",
      "items.name",
      "items.current_code as code",
      "items.title",
      "items.visibility",
      "items.current_visibility as currentVisibility",
      "items.creator_id as creatorId",
      "items.folder_id as folderId",
      "folders.drawer_id as drawerId",
      "thumbnails.digest as thumbnail",
      "items.created_at as createdAt",
      "items.updated_at as updatedAt",
      select
        .selectFrom("versions")
        .select((count) => count.fn.countAll<number>().as("count"))
        .whereRef("versions.item_id", "=", "items.id")
        .$asScalar()
        .$notNull()
        .as("versionCount"),
    ])
    .where(({ ref }) => engine.isInNumberList(ref("items.id"), ids)),
);

const selectTags = preparedOn((database, engine, ids: string) =>
  database
    .selectFrom("item_tags")
    .innerJoin("tags", "tags.id", "item_tags.tag_id")
    .select(["item_tags.item_id", "tags.id", "tags.title"])
    .where(({ ref }) => engine.isInNumberList(ref("item_tags.item_id"), ids)),
);

/** Returns the items as search results, in the order of the given ids. */
export async function describeItems(database: Database, engine: Engine, ids: readonly number[]): Promise<FoundItem[]> {
  if (ids.length === 0) return [];
  const rows = await selectShown(database, engine, engine.numberList(ids));
  const tags = await findTags(database, engine, ids);
  const creators = await findCreators(database, new Set(rows.map(({ creatorId }) => creatorId)));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const { creatorId, ...found } = row;
    return [{ ...found, tags: tags.get(id) ?? [], creator: creators.get(creatorId) ?? null }];
  });
}

const order = (one: string, other: string) => (one < other ? -1 : 1);

async function findTags(database: Database, engine: Engine, ids: readonly number[]): Promise<Map<number, Tag[]>> {
  const rows = await selectTags(database, engine, engine.numberList(ids));
  // Sorted here, because the databases order text differently.
  rows.sort((one, other) => (one.title === other.title ? order(one.id, other.id) : order(one.title, other.title)));
  const tags = new Map<number, Tag[]>();
  for (const { item_id, id, title } of rows) {
    const ofItem = tags.get(item_id);
    if (ofItem === undefined) tags.set(item_id, [{ id, title }]);
    else ofItem.push({ id, title });
  }
  return tags;
}
