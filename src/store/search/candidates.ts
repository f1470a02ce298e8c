import type { Engine } from "../engine.ts";
import type { Database } from "../schema.ts";
import type { Sought } from "./matching.ts";
import type { SoughtWord } from "./words.ts";

/** Asks one index for at most so many items, each once, of which those that are sought are some. */
type Source = (limit: number) => Promise<number[]>;

/** So few are looked at sooner than another index is asked. */
const ENOUGH = 200;

/**
 * Ids of items among which all that are sought are: those that every index has which has at most `limit`. Undefined
 * when there is no such index.
 */
export async function findCandidates(
  database: Database,
  engine: Engine,
  sought: Sought,
  limit: number,
): Promise<readonly number[] | undefined> {
  let left: readonly number[] | undefined;
  for (const source of sourcesOf(database, engine, sought)) {
    const ids = await source(limit + 1);
    if (ids.length > limit) continue;
    left = left === undefined ? ids : inBoth(left, ids);
    if (left.length <= ENOUGH) break;
  }
  return left;
}

function inBoth(some: readonly number[], others: readonly number[]): number[] {
  const among = new Set(others);
  return some.filter((id) => among.has(id));
}

function* sourcesOf(database: Database, engine: Engine, { words, places }: Sought): Generator<Source> {
  for (const tagIds of places.tagIds) yield (limit) => findByTags(database, tagIds, limit);
  const { folderIds } = places;
  if (folderIds) yield (limit) => findByFolders(database, folderIds, limit);
  const indexed = words.filter(({ grams }) => grams.length > 0);
  for (const word of indexed) yield (limit) => findByWord(database, engine, word, limit);
  // Where words can only be in the text itself, one question for all of them finds the fewest.
  if (indexed.length > 1 && indexed.every(isInTextAlone)) {
    const grams = [...new Set(indexed.flatMap((word) => word.grams))];
    yield (limit) => findByText(database, engine, grams, limit);
  }
}

const isInTextAlone = ({ folderIds, tagIds, codeItemIds }: SoughtWord) =>
  folderIds.length === 0 && tagIds.length === 0 && codeItemIds?.length === 0;

async function findByTags(database: Database, tagIds: readonly string[], limit: number): Promise<number[]> {
  if (tagIds.length === 0) return [];
  const rows = await database
    .selectFrom("item_tags")
    .select("item_id")
    .distinct()
    .where("tag_id", "in", tagIds)
    .limit(limit)
    .execute();
  return rows.map(({ item_id }) => item_id);
}

async function findByFolders(database: Database, folderIds: readonly string[], limit: number): Promise<number[]> {
  if (folderIds.length === 0) return [];
  const rows = await database
    .selectFrom("items")
    .select("id")
    .where("folder_id", "in", folderIds)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function findByText(
  database: Database,
  engine: Engine,
  grams: readonly number[],
  limit: number,
): Promise<number[]> {
  const rows = await database
    .selectFrom("item_grams")
    .select("rowid as id")
    .where(engine.hasGrams("item_grams", grams))
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function findByCode(
  database: Database,
  engine: Engine,
  grams: readonly number[],
  limit: number,
): Promise<number[]> {
  const rows = await database
    .selectFrom("code_grams")
    .innerJoin("search_codes", "search_codes.id", "code_grams.rowid")
    .select("search_codes.item_id")
    .distinct()
    .where(engine.hasGrams("code_grams", grams))
    .limit(limit)
    .execute();
  return rows.map(({ item_id }) => item_id);
}

async function findByWord(database: Database, engine: Engine, word: SoughtWord, limit: number): Promise<number[]> {
  const ids = new Set(word.codeItemIds ?? (await findByCode(database, engine, word.grams, limit)));
  const add = async (find: (limit: number) => Promise<number[]>) => {
    if (ids.size < limit) for (const id of await find(limit)) ids.add(id);
  };
  await add((most) => findByText(database, engine, word.grams, most));
  await add((most) => findByFolders(database, word.folderIds, most));
  await add((most) => findByTags(database, word.tagIds, most));
  return [...ids];
}
