import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import { governs } from "../../domain/model/access.ts";
import type { Search } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Schema } from "../engine/schema.ts";
import { readableItem, readableVersion } from "../model/readable.ts";
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
    ...words.map((word) => hasWord(engine, reader, word)),
    ...(visibility === undefined ? [] : [where("items.visibility", "=", visibility)]),
    ...(places.folderIds === undefined ? [] : [isIn(engine, places.folderIds)]),
    ...places.tagIds.map((tagIds) => hasTag(engine, tagIds)),
    ...(isUntagged ? [where.not(isThere(tagOfItem()))] : []),
  ]);
}

/**
 * Whether there is a row. Not `exists`: a database may choose to read all rows of the table instead, once for all items,
 * which takes longer than the few looks that are needed.
 */
const isThere = (row: Expression<unknown>): Expression<SqlBool> => sql<SqlBool>`(${row}) is not null`;

const tagOfItem = () =>
  items().selectFrom("item_tags").select("item_tags.tag_id").whereRef("item_tags.item_id", "=", "items.id").limit(1);

/** Null is the place of what is in no folder. */
const isIn = (engine: Engine, folderIds: readonly string[] | null): Expression<SqlBool> => {
  const where = items();
  return folderIds === null
    ? where("items.folder_id", "is", null)
    : engine.isOneOfTexts(where.ref("items.folder_id"), folderIds);
};

/** An item has few tags, so they are met one by one, and not each of the wanted ones looked for. */
const hasTag = (engine: Engine, tagIds: readonly string[]): Expression<SqlBool> => {
  const isWanted = engine.isOneOfTexts(engine.plain(sql.ref("item_tags.tag_id")), tagIds);
  return isThere(tagOfItem().where(isWanted));
};

/** In the order in which a look is cheap, and likely to be the last one needed. */
function hasWord(
  engine: Engine,
  reader: Search["reader"],
  { text, folderIds, tagIds, codeItemIds }: SoughtWord,
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
  return isThere(
    items()
      .selectFrom("search_codes")
      .select("search_codes.id")
      .whereRef("search_codes.item_id", "=", "items.id")
      .where(({ ref }) => engine.contains(ref("search_codes.folded"), word))
      .$if(!governs(reader), (query) =>
        query
          .innerJoin("versions", "versions.code", "search_codes.code")
          // The item is the one around this query.
          .where(readableVersion(reader)),
      )
      .limit(1),
  );
}
