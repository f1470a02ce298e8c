import type { SearchPlace } from "../../domain/search/ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Pace } from "../engine/pace.ts";
import type { IdSet } from "../engine/postings/id-set.ts";
import type { Database } from "../engine/schema.ts";
import { matching, type RequestedSearch } from "./matching.ts";
import { comesAfter, inOrder, sortColumn } from "./order.ts";

/** A matching item with its place in the order. */
export interface Hit extends SearchPlace {}

/** The candidates that are checked at once. */
const CHECKED = 100;
/** What reading a row of the sort index costs, compared to checking an item. */
const ROW_COST = 0.06;

interface AmongOptions {
  /** The rows of a step. */
  rows: number;
  /** What the alternative costs, in items that are checked. */
  cost: number;
  pace: Pace;
}

/** Creates a scan of the workspace in order, which reads some rows at a time. */
export function createScan(database: Database, engine: Engine, requested: RequestedSearch, needed: number) {
  const { search } = requested;
  const column = sortColumn(search);
  const hits: Hit[] = [];
  let place = search.after;

  const rest = () => {
    const start = place;
    return inOrder(database, search).$if(start !== undefined, (query) =>
      query.where(comesAfter(search, start ?? { key: "", id: 0 })),
    );
  };

  const places = () =>
    rest()
      .clearSelect()
      .select(["items.id", `${column} as key`]);

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
    place = await places()
      .offset(rows - 1)
      .limit(1)
      .executeTakeFirst();
    return place === undefined;
  }

  /**
   * Scans the sort index alone, and checks the candidates in it. Returns whether the page is full or no rows are left, or
   * false as soon as the alternative is likely to cost less.
   */
  async function advanceAmong(candidates: IdSet, { rows, cost, pace }: AmongOptions): Promise<boolean> {
    const before = hits.length;
    let spent = 0;
    while (true) {
      pace.check();
      const page = await places().limit(rows).execute();
      const likely = page.filter(({ id }) => candidates.has(id));
      for (let start = 0; start < likely.length; start += CHECKED) {
        if (await addMatches(likely.slice(start, start + CHECKED))) return true;
      }
      if (page.length < rows) return true;
      place = page.at(-1);
      spent += page.length * ROW_COST + likely.length;
      const expected = (spent / Math.max(1, hits.length - before)) * (needed - hits.length);
      if (expected > cost) return false;
    }
  }

  /** Adds those of some items that match. Returns whether the page is full. */
  async function addMatches(items: readonly Hit[]): Promise<boolean> {
    const ids = items.map(({ id }) => id);
    const found = await database
      .selectFrom("items")
      .select("items.id")
      .where(({ ref }) => engine.isOneOfNumbers(ref("items.id"), ids))
      .where(matching(engine, requested))
      .execute();
    const matches = new Set(found.map(({ id }) => id));
    hits.push(...items.filter(({ id }) => matches.has(id)).slice(0, needed - hits.length));
    return hits.length === needed;
  }

  return { advance, advanceAmong, hits: (): readonly Hit[] => hits };
}
