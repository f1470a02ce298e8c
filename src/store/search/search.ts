import type { Search, SearchPage } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import { type Pace, unhurried } from "../engine/pace.ts";
import type { Database } from "../engine/schema.ts";
import { findAuthorIds } from "./authors.ts";
import { findCandidates } from "./candidates.ts";
import { describeItems } from "./describe.ts";
import type { RequestedSearch } from "./matching.ts";
import { pick } from "./pick.ts";
import { findPlaces } from "./places.ts";
import { createScan, type Hit } from "./scan.ts";
import { findWords } from "./words.ts";

/** How many rows each attempt may read. */
export interface Effort {
  /** Rows scanned in order before any index is queried, which is enough for very frequent matches. */
  firstRows: number;
  /** Rows scanned next if that is likely to fill the page. */
  nextRows: number;
  /** Rows scanned in each further step. */
  furtherRows: number;
  /** The number of candidates that are fetched and sorted at once. */
  few: number;
  /** The number of candidates that are not worth narrowing further. */
  enough: number;
}

const EFFORT: Effort = { firstRows: 100, nextRows: 1_500, furtherRows: 4_000, few: 1_000, enough: 100 };

/**
 * Returns one page of a search. Frequent matches are found by scanning the workspace in order until the page is full,
 * rare ones by sorting what an index finds, and others by scanning for what an index finds.
 */
export async function search(
  database: Database,
  engine: Engine,
  wanted: Search,
  pace: Pace = unhurried,
  effort: Effort = EFFORT,
): Promise<SearchPage> {
  if (wanted.words.some(isImpossible)) return { items: [], next: undefined, unindexed: 0 };
  const authorIds = await findAuthorIds(database, wanted);
  if (authorIds?.length === 0) return { items: [], next: undefined, unindexed: 0 };
  const places = await findPlaces(database, wanted);
  const words = await findWords(database, engine, wanted);
  pace.check();
  const requested = { search: wanted, words, places, authorIds };
  const { hits, unindexed } = await findHits(database, engine, requested, { pace, effort });
  const page = hits.slice(0, wanted.limit);
  const items = await describeItems(
    database,
    engine,
    page.map(({ id }) => id),
  );
  return { items, next: hits.length > page.length ? page.at(-1) : undefined, unindexed };
}

/** Returns whether no text can contain a word. PostgreSQL rejects such words. */
const isImpossible = (word: string) => word.includes("\0") || !word.isWellFormed();

/** Returns the hits of a page, and the next one if it exists. */
async function findHits(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  { pace, effort }: { pace: Pace; effort: Effort },
): Promise<{ hits: readonly Hit[]; unindexed: number }> {
  const needed = requested.search.limit + 1;
  const { firstRows, nextRows, furtherRows, few, enough } = effort;
  const scan = createScan(database, engine, requested, needed);
  const scanned = (unindexed = 0) => ({ hits: scan.hits(), unindexed });
  if (await scan.advance(firstRows)) return scanned();
  const isFrequent = scan.hits().length * (nextRows / firstRows) >= needed;
  if (isFrequent && (await scan.advance(nextRows))) return scanned();
  pace.check();
  const candidates = await findCandidates(database, engine, requested, { enough, pace });
  if (candidates === undefined) {
    while (!(await scan.advance(furtherRows))) pace.check();
    return scanned();
  }
  const { ids, unindexed } = candidates;
  const count = ids.count();
  const limits = { rows: furtherRows, cost: count, pace };
  if (count > few && (await scan.advanceAmong(ids, limits))) return scanned(unindexed);
  const options = { ids: ids.toArray(), needed, size: Math.max(1, few), pace };
  return { hits: await pick(database, engine, requested, options), unindexed };
}
