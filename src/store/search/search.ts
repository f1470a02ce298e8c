import type { Search, SearchPage, SearchPlace } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";
import { type Candidates, findCandidates } from "./candidates.ts";
import { describeItems } from "./describe.ts";
import { matching, type Sought } from "./matching.ts";
import { comesAfter, direction, inOrder, sortColumn } from "./order.ts";
import { findPlaces } from "./places.ts";
import { findWords } from "./words.ts";

/** An item that was found, with its place in the order. */
interface Hit extends SearchPlace {}

/** How far each try goes. */
export interface Effort {
  /** Items that are fetched and sorted without trying anything else first. */
  rare: number;
  /** Rows that are looked at in order before any index is asked: enough for what is everywhere. */
  firstRows: number;
  /** The same once the indexes have found too much, and once they have nothing more to say. */
  nextRows: number;
  furtherRows: number;
  /** Items that are fetched and sorted rather than met in order. */
  few: number;
  many: number;
}

const EFFORT: Effort = { rare: 1_500, firstRows: 500, nextRows: 5_000, furtherRows: 100_000, few: 4_000, many: 50_000 };

/**
 * One page of a search. What is frequent is found by reading the workspace in the wanted order until the page is full,
 * what is rare by an index and sorting; which of the two it is shows in the trying, and each try is bounded.
 */
export async function search(
  database: Database,
  engine: Engine,
  wanted: Search,
  effort: Effort = EFFORT,
): Promise<SearchPage> {
  if (wanted.words.some(isUnheardOf)) return { items: [], next: undefined };
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

/** No title has these, and not every database takes them for text. */
const isUnheardOf = (word: string) => word.includes("\0") || !word.isWellFormed();

/** The hits of a page and one more, if there is one. */
async function findHits(database: Database, engine: Engine, sought: Sought, effort: Effort): Promise<Hit[]> {
  const needed = sought.search.limit + 1;
  const { rare, firstRows, nextRows, furtherRows, few, many } = effort;
  const quick = await findCandidates(database, engine, sought, { few: rare, most: rare, quickly: true });
  if (quick !== undefined) return pick(database, engine, sought, quick.ids, needed);
  const scan = createScan(database, engine, sought, needed);
  if (await scan.goOn(firstRows)) return scan.hits();
  const isFrequent = scan.hits().length * (nextRows / firstRows) >= needed;
  if (isFrequent && (await scan.goOn(nextRows))) return scan.hits();
  const candidates = await findCandidates(database, engine, sought, { few, most: many });
  const isWorthPicking = candidates !== undefined && (candidates.count <= few || candidates.areShared);
  if (!isWorthPicking && (await scan.goOn(nextRows))) return scan.hits();
  if (candidates !== undefined) return pick(database, engine, sought, candidates.ids, needed);
  while (!(await scan.goOn(furtherRows)));
  return scan.hits();
}

/** Reads the workspace in order, some rows at a time. */
function createScan(database: Database, engine: Engine, sought: Sought, needed: number) {
  const { search: wanted } = sought;
  const column = sortColumn(wanted);
  const hits: Hit[] = [];
  let place = wanted.after;

  const rest = () => {
    const start = place;
    return inOrder(database, wanted).$if(start !== undefined, (query) =>
      query.where(comesAfter(wanted, start ?? { key: "", id: 0 })),
    );
  };

  /** Looks at so many more rows. Returns whether that is enough: the page is full, or nothing is left. */
  async function goOn(rows: number): Promise<boolean> {
    const found = await database
      .selectFrom(rest().limit(rows).as("items"))
      .select(["items.id", `${column} as key`])
      .where(matching(engine, sought))
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

  return { goOn, hits: () => hits };
}

/** Those of some items that are sought, in order. They are gathered first, or an index of the order might be read. */
function pick(
  database: Database,
  engine: Engine,
  sought: Sought,
  ids: Candidates["ids"],
  needed: number,
): Promise<Hit[]> {
  const { search: wanted } = sought;
  const { after } = wanted;
  return database
    .with(
      (cte) => cte("picked").materialized(),
      (query) =>
        query
          .selectFrom("items")
          .select(["items.id", `${sortColumn(wanted)} as key`])
          .where(({ ref }) => engine.isOneOf(ref("items.id"), ids))
          .where(({ eb, ref }) => eb(engine.plain(ref("items.workspace_id")), "=", wanted.workspaceId))
          .where(matching(engine, sought))
          .$if(after !== undefined, (query) => query.where(comesAfter(wanted, after ?? { key: "", id: 0 }))),
    )
    .selectFrom("picked")
    .select(["id", "key"])
    .orderBy("key", direction(wanted))
    .orderBy("id", direction(wanted))
    .limit(needed)
    .execute();
}
