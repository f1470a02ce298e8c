import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { governs } from "../../domain/model/access.ts";
import type { Search } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { readableItem, readableVersion } from "../model/readable.ts";
import type { RequestedPlaceIds } from "./places.ts";
import type { RequestedWord } from "./words.ts";

/** A search whose words and places have been looked up. */
export interface RequestedSearch {
  search: Search;
  words: readonly RequestedWord[];
  places: RequestedPlaceIds;
  /** The ids of the requested authors; undefined for anyone. */
  authorIds: readonly string[] | undefined;
}

const items = () => expressionBuilder<Schema, "items">();

/** Returns the condition on an item's row that the item matches the search. */
export function matching(engine: Engine, requested: RequestedSearch): Expression<SqlBool> {
  const where = items();
  const { search, words, places, authorIds } = requested;
  const { visibility, since, until, isUntagged, reader } = search;
  return where.and([
    readableItem(reader),
    ...words.map((word) => hasWord(engine, reader, word)),
    ...(visibility === undefined ? [] : [where("items.visibility", "=", visibility)]),
    ...(authorIds === undefined ? [] : [engine.isOneOfTexts(where.ref("items.creator_id"), authorIds)]),
    ...(since === undefined ? [] : [where("items.updated_at", ">=", since)]),
    ...(until === undefined ? [] : [where("items.updated_at", "<", until)]),
    ...(places.folderIds === undefined ? [] : [isIn(engine, places.folderIds)]),
    ...places.tagIds.map((tagIds) => hasTag(engine, tagIds)),
    ...(isUntagged ? [where.not(hasRow(tagOfItem()))] : []),
  ]);
}

/**
 * Returns the condition that a row exists. Avoids `exists`, which a database may turn into a scan of the whole table
 * that takes longer than the few lookups needed.
 */
const hasRow = (row: Expression<unknown>): Expression<SqlBool> => sql<SqlBool>`(${row}) is not null`;

const tagOfItem = () =>
  items().selectFrom("item_tags").select("item_tags.tag_id").whereRef("item_tags.item_id", "=", "items.id").limit(1);

/** Returns the condition that an item is in one of the folders. Null means items without a folder. */
const isIn = (engine: Engine, folderIds: readonly string[] | null): Expression<SqlBool> => {
  const where = items();
  return folderIds === null
    ? where("items.folder_id", "is", null)
    : engine.isOneOfTexts(where.ref("items.folder_id"), folderIds);
};

/** Returns the condition that an item has one of the tags. Checks each of the few tags that the item has. */
const hasTag = (engine: Engine, tagIds: readonly string[]): Expression<SqlBool> => {
  const isWanted = engine.isOneOfTexts(engine.withoutIndex(sql.ref("item_tags.tag_id")), tagIds);
  return hasRow(tagOfItem().where(isWanted));
};

/** Returns the condition that a word occurs in an item. The cheapest and likeliest checks come first. */
function hasWord(
  engine: Engine,
  reader: Search["reader"],
  { text, folderIds, tagIds, codeItemIds }: RequestedWord,
): Expression<SqlBool> {
  const where = items();
  return where.or([
    engine.contains(where.ref("items.search_text"), text),
    ...(folderIds.length === 0 ? [] : [isIn(engine, folderIds)]),
    ...(tagIds.length === 0 ? [] : [hasTag(engine, tagIds)]),
    codeItemIds === undefined
      ? hasCode(engine, reader, text)
      : engine.isOneOfNumbers(where.ref("items.id"), codeItemIds),
  ]);
}

function hasCode(engine: Engine, reader: Search["reader"], word: string): Expression<SqlBool> {
  return hasRow(
    items()
      .selectFrom("search_codes")
      .select("search_codes.id")
      .whereRef("search_codes.item_id", "=", "items.id")
      .where(({ ref }) => engine.contains(ref("search_codes.folded"), word))
      .$if(!governs(reader), (query) =>
        query
          .innerJoin("versions", "versions.code", "search_codes.code")
          // `items` is the item of the outer query.
          .where(readableVersion(reader)),
      )
      .limit(1),
  );
}
