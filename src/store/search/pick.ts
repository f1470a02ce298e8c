import type { Engine } from "../engine/engine.ts";
import type { Pace } from "../engine/pace.ts";
import type { Database } from "../engine/schema.ts";
import { matching, type RequestedSearch } from "./matching.ts";
import { comesAfter, direction, sortColumn } from "./order.ts";
import type { Hit } from "./scan.ts";

interface PickOptions {
  /** The candidates. */
  ids: readonly number[];
  /** The number of matches to return. */
  needed: number;
  /** The number of candidates that one statement checks. */
  size: number;
  pace: Pace;
}

/** Returns the first matches in order among candidates. */
export async function pick(
  database: Database,
  engine: Engine,
  requested: RequestedSearch,
  { ids, needed, size, pace }: PickOptions,
): Promise<Hit[]> {
  const { search } = requested;
  const { after } = search;

  /** Materializes the matches, so that the database doesn't scan a sort index. */
  const pickSome = (some: readonly number[]): Promise<Hit[]> =>
    database
      .with(
        (cte) => cte("picked").materialized(),
        (query) =>
          query
            .selectFrom("items")
            .select(["items.id", `${sortColumn(search)} as key`])
            .where(({ ref }) => engine.isOneOfNumbers(ref("items.id"), some))
            .where(({ eb, ref }) => eb(engine.withoutIndex(ref("items.workspace_id")), "=", search.workspaceId))
            .where(matching(engine, requested))
            .$if(after !== undefined, (rest) => rest.where(comesAfter(search, after ?? { key: "", id: 0 }))),
      )
      .selectFrom("picked")
      .select(["id", "key"])
      .orderBy("key", direction(search))
      .orderBy("id", direction(search))
      .limit(needed)
      .execute();

  let best: Hit[] = [];
  for (let start = 0; start < ids.length; start += size) {
    pace.check();
    // The database compares keys. Strings compare differently here.
    best = await pickSome([...best.map(({ id }) => id), ...ids.slice(start, start + size)]);
  }
  return best;
}
