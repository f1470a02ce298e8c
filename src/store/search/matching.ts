import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Search } from "../../domain/search-ports.ts";
import type { Engine } from "../engine.ts";
import { readableItem } from "../readable.ts";
import type { Schema } from "../schema.ts";
import type { SoughtPlaceIds } from "./places.ts";
import type { SoughtWord } from "./words.ts";

/** A search whose words and places have been looked up. */
export interface Sought {
  search: Search;
  words: readonly SoughtWord[];
  places: SoughtPlaceIds;
}

const items = () => expressionBuilder<Schema, "items">();

/** Whether an item is what is sought, as a condition on its row. */
export function matching(engine: Engine, { search, words, places }: Sought): Expression<SqlBool> {
  const where = items();
  const { visibility, isUntagged, reader } = search;
  return where.and([
    readableItem(reader),
    ...words.map((word) => hasWord(engine, word)),
    ...(visibility === undefined ? [] : [where("items.visibility", "=", visibility)]),
    ...(places.folderIds === undefined ? [] : [isIn(places.folderIds)]),
    ...places.tagIds.map((tagIds) => hasTag(engine, tagIds)),
    ...(isUntagged ? [where.not(where.exists(tagsOfItem()))] : []),
  ]);
}

const tagsOfItem = () =>
  items().selectFrom("item_tags").select("item_tags.tag_id").whereRef("item_tags.item_id", "=", "items.id");

/** Null is the place of what is in no folder. */
const isIn = (folderIds: readonly string[] | null): Expression<SqlBool> => {
  const where = items();
  if (folderIds === null) return where("items.folder_id", "is", null);
  return folderIds.length === 0 ? where.lit(false) : where("items.folder_id", "in", folderIds);
};

/** An item has few tags, so they are met one by one, and not each of the wanted ones looked for. */
const hasTag = (engine: Engine, tagIds: readonly string[]): Expression<SqlBool> => {
  const where = items();
  if (tagIds.length === 0) return where.lit(false);
  return where.exists(tagsOfItem().where(({ eb, ref }) => eb(engine.plain(ref("item_tags.tag_id")), "in", tagIds)));
};

/** In the order in which a look is cheap, and likely to be the last one needed. */
function hasWord(engine: Engine, { text, folderIds, tagIds, codeItemIds }: SoughtWord): Expression<SqlBool> {
  const where = items();
  return where.or([
    engine.contains(where.ref("items.search_text"), text),
    ...(folderIds.length === 0 ? [] : [isIn(folderIds)]),
    ...(tagIds.length === 0 ? [] : [hasTag(engine, tagIds)]),
    codeItemIds === undefined ? hasCode(engine, text) : engine.isOneOf(where.ref("items.id"), codeItemIds),
  ]);
}

function hasCode(engine: Engine, word: string): Expression<SqlBool> {
  const where = items();
  return where.exists(
    where
      .selectFrom("search_codes")
      .select("search_codes.id")
      .whereRef("search_codes.item_id", "=", "items.id")
      .where(({ ref }) => engine.contains(ref("search_codes.folded"), word)),
  );
}
