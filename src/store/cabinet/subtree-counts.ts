import { CompiledQuery, sql } from "kysely";
import { engineOf } from "../engine/engine.ts";
import { ADD, COLUMNS } from "../engine/migrations/0016-item-readers.ts";
import { countedSubtrees, withTagsAbove } from "../engine/migrations/0019-subtrees.ts";
import type { Database } from "../engine/schema.ts";

/** Runs a change of pairs during which SQLite doesn't count them one by one. */
export async function pausingSubtreeCounts<Result>(database: Database, change: () => Promise<Result>): Promise<Result> {
  await sql`insert into subtree_count_pauses (number) values (1)`.execute(database);
  const result = await change();
  await sql`delete from subtree_count_pauses`.execute(database);
  return result;
}

/**
 * Runs a change of the tags of some items. SQLite counts them once before and after it: counting each pair takes longer the
 * more tags an item has.
 */
export async function countingSubtreesOnce<Result>(
  database: Database,
  itemIds: readonly number[],
  change: () => Promise<Result>,
): Promise<Result> {
  if (engineOf(database).name !== "sqlite" || itemIds.length === 0) return change();
  await addSubtrees(database, itemIds, -1);
  const result = await pausingSubtreeCounts(database, change);
  await addSubtrees(database, itemIds, 1);
  return result;
}

/** Selects the tags of the items, whose ids are the parameter. */
const TAGGED = withTagsAbove(
  "select workspace_id, item_id, tag_id from item_tags where item_id in (select value from json_each(?))",
);

const adding = (by: 1 | -1) => `insert into item_counts (${COLUMNS})
  ${countedSubtrees(`select workspace_id, item_id, tag_id, ${by} as number from (${TAGGED})`)} ${ADD}`;

/** Adds the items to the counts of their tags and of their ancestors, or subtracts them. */
async function addSubtrees(database: Database, itemIds: readonly number[], by: 1 | -1): Promise<void> {
  await database.executeQuery(CompiledQuery.raw(adding(by), [JSON.stringify(itemIds)]));
}
