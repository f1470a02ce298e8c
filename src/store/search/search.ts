import type { Search, SearchPage, SearchPlace } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Pace } from "../engine/pace.ts";
import type { Database } from "../engine/schema.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { describeItems } from "./describe.ts";
import { matching, type RequestedSearch } from "./matching.ts";
import { comesAfter, direction, inOrder, sortColumn } from "./order.ts";
import { findPlaces } from "./places.ts";
import { findWords } from "./words.ts";

/** A matching item with its place in the order. */
interface Hit extends SearchPlace {}

/** How many rows each attempt may read. */
export interface Effort {
  /** The most items that are fetched and sorted before anything else is tried. */
  rare: number;
  /** Rows scanned in order before any index is queried, which is enough for very frequent matches. */
  firstRows: number;
  /** Rows scanned next if that is likely to fill the page, or if the indexes found too many items. */
  nextRows: number;
  /** Rows scanned in each further step, once no index helps. */
  furtherRows: number;
  /** The most items that are fetched and sorted instead of scanning further. */
  few: number;
  /** The most items that are fetched and sorted if scanning further doesn't fill the page. */
  many: number;
}

const EFFORT: Effort = { rare: 1_500, firstRows: 500, nextRows: 5_000, furtherRows: 100_000, few: 4_000, many: 50_000 };

/**
 * Returns one page of a search. Frequent matches are found by scanning the workspace in order until the page is full,
 * rare ones through an index and sorting. Bounded attempts decide between the two.
 */
export async function search(
  database: Database,
  engine: Engine,
  wanted: Search,
  _pace?: Pace,
  effort: Effort = EFFORT,
): Promise<SearchPage> {
  if (wanted.words.some(isImpossible)) return { items: [], next: undefined };
  const places = await findPlaces(database, wanted);
  const words = await findWords(database, engine, wanted);
  const hits = await findHits(database, engine, { search: wanted, words, places }, effort);
  const page = hits.slice(0, wanted.limit);
  const items = await describeItems(
    database,
    engine,
    page.map(({ id }) => id),
  );
  return { items, next: hits.length > page.length ? page.at(-1) : undefined };
}

/** Returns whether no text can contain a word. PostgreSQL rejects such words. */
const isImpossible = (word: string) => word.includes("\0") || !word.isWellFormed();

/** Returns the hits of a page, and the next one if it exists. */
async function findHits(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  effort: Effort,
): Promise<Hit[]> {
  const needed = requested.search.limit + 1;
  const { rare, firstRows, nextRows, furtherRows, few, many } = effort;
  const quick = await findCandidates(database, engine, requested, { few: rare, most: rare, quickly: true });
  if (quick !== undefined) return pick(database, engine, requested, quick.ids, needed);
  const scan = createScan(database, engine, requested, needed);
  if (await scan.advance(firstRows)) return scan.hits();
  const isFrequent = scan.hits().length * (nextRows / firstRows) >= needed;
  if (isFrequent && (await scan.advance(nextRows))) return scan.hits();
  const candidates = await findCandidates(database, engine, requested, { few, most: many });
  const isWorthPicking = candidates !== undefined && (candidates.count <= few || candidates.areIntersection);
  if (!isWorthPicking && (await scan.advance(nextRows))) return scan.hits();
  if (candidates !== undefined) return pick(database, engine, requested, candidates.ids, needed);
  while (!(await scan.advance(furtherRows)));
  return scan.hits();
}

/** Creates a scan of the workspace in order, which reads some rows at a time. */
function createScan(database: Database, engine: Engine, requested: RequestedSearch, needed: number) {
  const { search: wanted } = requested;
  const column = sortColumn(wanted);
  const hits: Hit[] = [];
  let place = wanted.after;

  const rest = () => {
    const start = place;
    return inOrder(database, wanted).$if(start !== undefined, (query) =>
      query.where(comesAfter(wanted, start ?? { key: "", id: 0 })),
    );
  };

  /** Scans more rows. Returns whether the page is full or no rows are left. */
  async function advance(rows: number): Promise<boolean> {
    const found = await database
      .selectFrom(rest().limit(rows).as("items"))
      .select(["items.id", `${column} as key`])
      .where(matching(engine, requested))
      .limit(needed - hits.length)
      .execute();
    hits.push(...found);
    if (hits.length === needed) return true;
    const last = await rest()
      .clearSelect()
      .select(["items.id", `${column} as key`])
      .offset(rows - 1)
      .limit(1)
      .executeTakeFirst();
    place = last;
    return last === undefined;
  }

  return { advance, hits: () => hits };
}

/** Returns the matches among candidates in order. Materializes them, so that the database doesn't scan a sort index. */
function pick(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  ids: Candidates["ids"],
  needed: number,
): Promise<Hit[]> {
  const { search: wanted } = requested;
  const { after } = wanted;
  return database
    .with(
      (cte) => cte("picked").materialized(),
      (query) =>
        query
          .selectFrom("items")
          .select(["items.id", `${sortColumn(wanted)} as key`])
          .where(({ ref }) => engine.isOneOf(ref("items.id"), ids))
          .where(({ eb, ref }) => eb(engine.withoutIndex(ref("items.workspace_id")), "=", wanted.workspaceId))
          .where(matching(engine, requested))
          .$if(after !== undefined, (query) => query.where(comesAfter(wanted, after ?? { key: "", id: 0 }))),
    )
    .selectFrom("picked")
    .select(["id", "key"])
    .orderBy("key", direction(wanted))
    .orderBy("id", direction(wanted))
    .limit(needed)
    .execute();
}
