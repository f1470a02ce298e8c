import { type Expression, type SelectQueryBuilder, sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import type { Database, Schema } from "../engine/schema.ts";
import type { Sought } from "./matching.ts";
import type { SoughtWord } from "./words.ts";

type Ids = SelectQueryBuilder<Schema, never, { id: number }>;

/** Queries that together give all items that are sought, from an index, and others. */
type Source = readonly [Ids, ...Ids[]];

export interface Candidates {
  /** A query for items among which all that are sought are. */
  ids: Expression<{ id: number }>;
  /** At most so many. */
  count: number;
  /** Whether they are what two indexes share. */
  areShared: boolean;
}

/**
 * Asks every index for at most `most` items and takes the one that has the fewest; where even those are more than `few`,
 * what it shares with the next. Undefined when each has more than `most`. `quickly` leaves out indexes that cannot stop
 * at `most`.
 */
export async function findCandidates(
  database: Database,
  engine: Engine,
  sought: Sought,
  { few, most, quickly = false }: { few: number; most: number; quickly?: boolean },
): Promise<Candidates | undefined> {
  // Where an index has to find everything before it says anything, frequent words would cost more than they save.
  const words = quickly && !engine.streamsGrams ? [] : sought.words;
  const sources = [...sourcesOf(database, engine, { ...sought, words })];
  const counts = await countAll(database, sources, most);
  const ranked = sources
    .map((source, position) => ({ source, count: counts[position] ?? 0 }))
    .filter(({ count }) => count <= most)
    .sort((one, other) => one.count - other.count);
  const [fewest, next] = ranked;
  if (fewest === undefined) return undefined;
  const ids = union(fewest.source);
  if (fewest.count <= few || next === undefined) return { ids, count: fewest.count, areShared: false };
  // Each in brackets, because databases differ in which of "union" and "intersect" comes first.
  const bracketed = (source: Source) => database.selectFrom(union(source).as("found")).select("found.id");
  const shared = bracketed(fewest.source).intersect(bracketed(next.source));
  return { ids: shared, count: fewest.count, areShared: true };
}

const union = ([first, ...others]: Source): Ids => others.reduce((all, ids) => all.union(ids), first);

/** What several of a source's queries give is counted several times. */
async function countAll(database: Database, sources: readonly Source[], most: number): Promise<number[]> {
  if (sources.length === 0) return [];
  const counts = sources.map((source, position) => {
    const parts = source.map((ids) => sql`(select count(*) from (${ids.limit(most + 1)}) as counted)`);
    return sql<number>`${sql.join(parts, sql` + `)}`.as(`count_${position}`);
  });
  const row: Record<string, number> = await database.selectNoFrom(counts).executeTakeFirstOrThrow();
  return sources.map((_, position) => row[`count_${position}`] ?? 0);
}

function* sourcesOf(database: Database, engine: Engine, { words, places }: Sought): Generator<Source> {
  for (const tagIds of places.tagIds) yield [byTags(database, engine, tagIds)];
  if (places.folderIds) yield [byFolders(database, engine, places.folderIds)];
  const indexed = words.filter(({ grams }) => grams.length > 0);
  for (const word of indexed) yield byWord(database, engine, word);
  // Where words can only be in the text itself, one question for all of them finds the fewest.
  if (indexed.length > 1 && indexed.every(isInTextAlone)) {
    yield [byText(database, engine, [...new Set(indexed.flatMap(({ grams }) => grams))])];
  }
}

const isInTextAlone = ({ folderIds, tagIds, codeItemIds }: SoughtWord) =>
  folderIds.length === 0 && tagIds.length === 0 && codeItemIds?.length === 0;

function byWord(database: Database, engine: Engine, { grams, folderIds, tagIds, codeItemIds }: SoughtWord): Source {
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
