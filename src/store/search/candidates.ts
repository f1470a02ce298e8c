import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import type { Database, Schema } from "../engine/schema.ts";
import type { RequestedSearch } from "./matching.ts";
import type { RequestedWord } from "./words.ts";

type Ids = SelectQueryBuilder<Schema, never, { id: number }>;

/** Queries of indexes whose union contains all items that match, and others. */
type Source = readonly [Ids, ...Ids[]];

export interface Candidates {
  /** A query for items that include all matches. */
  ids: Expression<{ id: number }>;
  /** An upper bound of the number of items. */
  count: number;
  /** Whether they are the intersection of two indexes. */
  areIntersection: boolean;
}

/**
 * Returns the items from the most selective index, or if those are more than `few`, its intersection with the second
 * most selective one. Returns undefined if every index has more than `most`. `quickly` skips indexes that can't stop
 * early.
 */
export async function findCandidates(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  { few, most, quickly = false }: { few: number; most: number; quickly?: boolean },
): Promise<Candidates | undefined> {
  // An index that finds all rows before it returns any costs more than it saves for frequent words.
  const words = quickly && !engine.streamsGrams ? [] : requested.words;
  const sources = [...sourcesOf(database, engine, { ...requested, words })];
  const counts = await countAll(database, sources, most);
  const ranked = sources
    .map((source, position) => ({ source, count: counts[position] ?? 0 }))
    .filter(({ count }) => count <= most)
    .sort((one, other) => one.count - other.count);
  const [fewest, next] = ranked;
  if (fewest === undefined) return undefined;
  const ids = union(fewest.source);
  if (fewest.count <= few || next === undefined) return { ids, count: fewest.count, areIntersection: false };
  // Subqueries, because the databases differ in the precedence of "union" and "intersect".
  const bracketed = (source: Source) => database.selectFrom(union(source).as("found")).select("found.id");
  const shared = bracketed(fewest.source).intersect(bracketed(next.source));
  return { ids: shared, count: fewest.count, areIntersection: true };
}

const union = ([first, ...others]: Source): Ids => others.reduce((all, ids) => all.union(ids), first);

/** Returns the number of rows of each source. Rows that several of its queries return count several times. */
async function countAll(database: Database, sources: readonly Source[], most: number): Promise<number[]> {
  if (sources.length === 0) return [];
  const counts = sources.map((source, position) => {
    const parts = source.map((ids) => sql`(select count(*) from (${ids.limit(most + 1)}) as counted)`);
    return sql<number>`${sql.join(parts, sql` + `)}`.as(`count_${position}`);
  });
  const row: Record<string, number> = await database.selectNoFrom(counts).executeTakeFirstOrThrow();
  return sources.map((_, position) => row[`count_${position}`] ?? 0);
}

function* sourcesOf(database: Database, engine: Engine, { words, places }: RequestedSearch): Generator<Source> {
  for (const tagIds of places.tagIds) yield [byTags(database, engine, tagIds)];
  if (places.folderIds) yield [byFolders(database, engine, places.folderIds)];
  const indexed = words.filter(({ grams }) => grams.length > 0);
  for (const word of indexed) yield byWord(database, engine, word);
  // If the words can only occur in the text, a single query for all of them is the most selective.
  if (indexed.length > 1 && indexed.every(isOnlyInText)) {
    yield [byText(database, engine, [...new Set(indexed.flatMap(({ grams }) => grams))])];
  }
}

const isOnlyInText = ({ folderIds, tagIds, codeItemIds }: RequestedWord) =>
  folderIds.length === 0 && tagIds.length === 0 && codeItemIds?.length === 0;

function byWord(database: Database, engine: Engine, { grams, folderIds, tagIds, codeItemIds }: RequestedWord): Source {
  const others = [
    ...(codeItemIds === undefined ? [byCode(database, engine, grams)] : []),
    ...(codeItemIds !== undefined && codeItemIds.length > 0 ? [byNumber(database, engine, codeItemIds)] : []),
    ...(folderIds.length > 0 ? [byFolders(database, engine, folderIds)] : []),
    ...(tagIds.length > 0 ? [byTags(database, engine, tagIds)] : []),
  ];
  return [byText(database, engine, grams), ...others];
}

const byNumber = (database: Database, engine: Engine, ids: readonly number[]): Ids =>
  database
    .selectFrom("items")
    .select("items.id")
    .where(({ ref }) => engine.isOneOfNumbers(ref("items.id"), ids));

const byTags = (database: Database, engine: Engine, tagIds: readonly string[]): Ids =>
  database
    .selectFrom("item_tags")
    .select("item_id as id")
    .where(({ ref }) => engine.isOneOfTexts(ref("tag_id"), tagIds));

const byFolders = (database: Database, engine: Engine, folderIds: readonly string[]): Ids =>
  database
    .selectFrom("items")
    .select("items.id")
    .where(({ ref }) => engine.isOneOfTexts(ref("folder_id"), folderIds));

const byText = (database: Database, engine: Engine, grams: readonly number[]): Ids =>
  database.selectFrom("item_grams").select("rowid as id").where(engine.hasGrams("item_grams", grams));

const byCode = (database: Database, engine: Engine, grams: readonly number[]): Ids =>
  database
    .selectFrom("code_grams")
    .innerJoin("search_codes", "search_codes.id", "code_grams.rowid")
    .select("search_codes.item_id as id")
    .where(engine.hasGrams("code_grams", grams));
