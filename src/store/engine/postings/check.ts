import { sql } from "kysely";
import type { Database } from "../schema.ts";
import { BLOCK_SIZE, IdSet, WIDE_BLOCK } from "./id-set.ts";
import { type Entry, findEntries, groupByTerm, TEXT_AND_PLACES } from "./merge.ts";
import { type Posting, postingsAt } from "./postings.ts";

/** The terms that are compared at once. */
const TERMS = 1_000;

/** Returns whether the index has every item at each of its terms, except those whose changes are logged. */
export async function hasAllPostings(database: Database): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    select id from items where id not in (select item_id from search_changes) order by id`.execute(database);
  for (const [block, ids] of Map.groupBy(rows, ({ id }) => Math.floor(id / BLOCK_SIZE))) {
    const parts = new Map(ids.map(({ id }) => [id, TEXT_AND_PLACES]));
    if (!(await hasEntries(database, block, await findEntries(database, parts)))) return false;
  }
  return true;
}

async function hasEntries(database: Database, block: number, entries: readonly Entry[]): Promise<boolean> {
  const expected = [...groupByTerm(entries)];
  for (let start = 0; start < expected.length; start += TERMS) {
    const some = expected.slice(start, start + TERMS);
    const terms = some.map(([term]) => term);
    const { rows } = await sql<Posting>`
      select block, term, ids ${postingsAt(database, [WIDE_BLOCK, block], terms)}`.execute(database);
    const found = Map.groupBy(rows, ({ term }) => term);
    for (const [term, ids] of some) {
      const set = new IdSet();
      for (const posting of found.get(term) ?? []) set.addList(posting.block, posting.ids);
      if (!ids.every((id) => set.has(id))) return false;
    }
  }
  return true;
}
