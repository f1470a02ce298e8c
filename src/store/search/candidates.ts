import { sql } from "kysely";
import type { Engine } from "../engine/engine.ts";
import type { Pace } from "../engine/pace.ts";
import { blockOf, IdSet, WIDE_BLOCK, WIDE_IDS } from "../engine/postings/id-set.ts";
import { type Posting, postingsAt, sizesAt } from "../engine/postings/postings.ts";
import type { Database } from "../engine/schema.ts";
import type { RequestedSearch } from "./matching.ts";
import { updatedWithin } from "./order.ts";
import { type Requirement, requirementsOf } from "./requirements.ts";

/** Besides its rarest piece, the pieces of a word that fewer items have, because reading them costs less than it saves. */
const CHEAP_ITEMS = 16_384;
/** The number of listed items that take as long to read as it takes to check one. */
const READ_PER_CHECK = 800;
/** The blocks in which the items of a piece are counted, to compare it with others. Counting in all would take long. */
const COUNTED_BLOCKS = 4;
/** The most codes with a short word that are listed. */
const MOST_CODES = 100_000;
/** The most items that are listed because of when they were updated. A scan meets more of them soon enough. */
const MOST_UPDATED = 20_000;

export interface Candidates {
  ids: IdSet;
  /** How many of them the index may not know as they are now. */
  unindexed: number;
}

/** A requirement with the number of items that it is expected to leave. */
interface Ranked extends Requirement {
  estimate: number;
}

/**
 * Returns items that include all matches of a search, or undefined if no index narrows it. Begins with the rarest
 * requirement, and stops if it leaves only `enough` items.
 */
export async function findCandidates(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  { enough, pace }: { enough: number; pace: Pace },
): Promise<Candidates | undefined> {
  const requirements = [...requirementsOf(requested), ...(await requireTime(database, requested))];
  if (requirements.length === 0) return undefined;
  // Before the postings, because a change leaves the log once it is in them.
  const changed = await findChanged(database, requested.search.workspaceId);
  const blocks = await listBlocks(database);
  const [rarest, ...others] = await rank(database, engine, blocks, requirements);
  if (rarest === undefined) return undefined;
  const found = await findMeeting(database, blocks, rarest);
  for (const requirement of others) {
    pace.check();
    const count = found.count();
    if (count <= enough) break;
    if (requirement.estimate > count * READ_PER_CHECK) continue;
    found.keepOnly(await findMeeting(database, blocks, requirement));
  }
  for (const id of changed) found.add(id);
  return { ids: found, unindexed: changed.length };
}

/** Returns the requirement of a range of time, unless too many items are in it, or the scan is limited to it. */
async function requireTime(database: Database, { search }: RequestedSearch): Promise<Requirement[]> {
  const { since, until, order } = search;
  if ((since === undefined && until === undefined) || order.by === "updated") return [];
  const rows = await updatedWithin(database, search)
    .select("items.id")
    .limit(MOST_UPDATED + 1)
    .execute();
  return rows.length > MOST_UPDATED ? [] : [{ text: [], places: [], ids: rows.map(({ id }) => id) }];
}

/** Returns the items of a workspace that the index may not know as they are now. */
async function findChanged(database: Database, workspaceId: string): Promise<number[]> {
  const rows = await database
    .selectFrom("search_changes")
    .select("item_id")
    .where("workspace_id", "=", workspaceId)
    .distinct()
    .execute();
  return rows.map(({ item_id }) => item_id);
}

async function listBlocks(database: Database): Promise<number[]> {
  const newest = await database
    .selectFrom("items")
    .select(({ fn }) => fn.max("id").as("id"))
    .executeTakeFirst();
  return Array.from({ length: blockOf(newest?.id ?? 0) + 1 }, (_, block) => block);
}

/** Returns the requirements, those that fewer items meet first, with the rarest pieces of their texts. */
async function rank(
  database: Database,
  engine: Engine,
  blocks: readonly number[],
  requirements: readonly Requirement[],
): Promise<Ranked[]> {
  const texts = new Set(requirements.flatMap(({ text }) => text));
  const places = new Set(requirements.flatMap((one) => one.places));
  const counted = someOf(blocks);
  const { rows } = await sql<{ term: number; bytes: number }>`
    ${sizesAt(database, counted, [...texts])} union all ${sizesAt(database, [WIDE_BLOCK], [...places])}`.execute(
    database,
  );
  const bytesOf = new Map(rows.map(({ term, bytes }) => [term, bytes]));
  const inText = (term: number) => ((bytesOf.get(term) ?? 0) / 2) * (blocks.length / counted.length);
  const atPlace = (term: number) => (bytesOf.get(term) ?? 0) / 4;
  const ranked: Ranked[] = [];
  for (const requirement of requirements) {
    const [rarest, ...others] = requirement.text.toSorted((one, other) => inText(one) - inText(other));
    const text = rarest === undefined ? [] : [rarest, ...others.filter((term) => inText(term) < CHEAP_ITEMS)];
    const ids = await withShortCodes(database, engine, requirement);
    if (ids === undefined) continue;
    const atPlaces = requirement.places.reduce((sum, term) => sum + atPlace(term), 0);
    const estimate = (rarest === undefined ? 0 : inText(rarest)) + atPlaces + ids.length;
    ranked.push({ ...requirement, text, ids, estimate });
  }
  return ranked.sort((one, other) => one.estimate - other.estimate);
}

/** Returns a few blocks at equal distances, among them the newest. */
function someOf(blocks: readonly number[]): number[] {
  const distance = Math.ceil(blocks.length / COUNTED_BLOCKS);
  return blocks.filter((block) => (blocks.length - 1 - block) % distance === 0);
}

/** Returns the ids of a requirement with the items whose codes may contain its short word; undefined if there are too many. */
async function withShortCodes(
  database: Database,
  engine: Engine,
  { ids, codeGrams }: Requirement,
): Promise<readonly number[] | undefined> {
  if (codeGrams === undefined) return ids;
  const rows = await database
    .selectFrom("code_grams")
    .innerJoin("search_codes", "search_codes.id", "code_grams.rowid")
    .select("search_codes.item_id")
    .where(engine.hasGrams("code_grams", codeGrams))
    .limit(MOST_CODES + 1)
    .execute();
  return rows.length > MOST_CODES ? undefined : [...ids, ...rows.map(({ item_id }) => item_id)];
}

/** Returns the items that meet a requirement, according to the index. */
export async function findMeeting(
  database: Database,
  blocks: readonly number[],
  requirement: Requirement,
): Promise<IdSet> {
  const { text, places } = requirement;
  const { rows: listed } = await sql<Posting>`
    select block, term, ids ${postingsAt(database, blocks, text)}
    union all
    select block, term, ids ${postingsAt(database, [WIDE_BLOCK], places)}`.execute(database);
  const full = listed.filter(({ block, ids }) => block === WIDE_BLOCK && ids.length >= WIDE_IDS * 4);
  const continued = await loadMore(
    database,
    blocks,
    full.map(({ term }) => term),
  );
  const postings = Map.groupBy([...listed, ...continued], ({ term }) => term);
  return meeting(requirement, postings);
}

async function loadMore(database: Database, blocks: readonly number[], terms: readonly number[]): Promise<Posting[]> {
  if (terms.length === 0) return [];
  const { rows } = await sql<Posting>`select block, term, ids ${postingsAt(database, blocks, terms)}`.execute(database);
  return rows;
}

function meeting({ text, places, ids }: Requirement, postings: ReadonlyMap<number, readonly Posting[]>): IdSet {
  const [first, ...others] = text;
  const found = new IdSet();
  if (first !== undefined) addPostings(found, postings.get(first));
  for (const term of others) found.keepOnly(addPostings(new IdSet(), postings.get(term)));
  for (const term of places) addPostings(found, postings.get(term));
  for (const id of ids) found.add(id);
  return found;
}

function addPostings(set: IdSet, postings: readonly Posting[] = []): IdSet {
  for (const { block, ids } of postings) set.addList(block, ids);
  return set;
}
