import { sql } from "kysely";
import { ADD, COLUMNS, hasOtherReaders, READERS, readerOf } from "./0016-item-readers.ts";
import { countedSubtrees, withTagsAbove, withTagsBelow } from "./0019-subtrees.ts";

const adding = (selected: string) => `insert into item_counts (${COLUMNS}) ${selected} ${ADD};`;

const trigger = (name: string, event: string, statements: string) =>
  sql.raw(`create trigger ${name} ${event} begin ${statements} end`);

const pairsOf = (condition: string) => `select workspace_id, item_id, tag_id from item_tags where ${condition}`;

/** Selects the tags of a pair and those above it that the item has in no other way. */
const onlyThrough = (pair: "old" | "new") => `
  select * from (${withTagsAbove(
    `select ${pair}.workspace_id as workspace_id, ${pair}.item_id as item_id, ${pair}.tag_id as tag_id`,
  )})
  except
  select * from (${withTagsAbove(pairsOf(`item_id = ${pair}.item_id and tag_id <> ${pair}.tag_id`))})`;

const addingPair = (pair: "old" | "new", by: 1 | -1) =>
  adding(countedSubtrees(`select workspace_id, item_id, tag_id, ${by} as number from (${onlyThrough(pair)})`));

/** Adds to all tags of an item that has changed, and to those above. Its owners stay the same. */
const addingToTags = (item: "old" | "new", by: 1 | -1) =>
  adding(`select workspace_id, ${readerOf(item)}, 'subtree', tag_id, ${by}
    from (${withTagsAbove(pairsOf(`item_id = ${item}.id`))}) cross join ${READERS}
    where readers.number > 1 and ${readerOf(item)} is not null`);

const inSubtree = `tag_id in (${withTagsBelow("select new.id as id")})`;
const itemsInSubtree = `select item_id from item_tags where ${inSubtree}`;

/** Selects a tag, which may be null, and the tags above it. */
const andAbove = (tag: string) => `
  with recursive line (id) as (
    select ${tag} where ${tag} is not null
    union
    select tags.parent_id from line join tags on tags.id = line.id where tags.parent_id is not null
  ) select id from line`;

/** Adds to the tags above a tag that has moved, for the items that they have only through it. */
const addingMoved = adding(
  countedSubtrees(`
    select moved.workspace_id, moved.item_id, lines.id as tag_id, lines.number
    from (select distinct workspace_id, item_id from item_tags where ${inSubtree}) as moved
    cross join (
      select id, 1 as number from (${andAbove("new.parent_id")})
      union all
      select id, -1 from (${andAbove("old.parent_id")})
    ) as lines
    where (moved.workspace_id, moved.item_id, lines.id) not in (
      select workspace_id, item_id, tag_id
      from (${withTagsAbove(pairsOf(`item_id in (${itemsInSubtree}) and not ${inSubtree}`))}))`),
);

const NOT_PAUSED = "when not exists (select 1 from subtree_count_pauses)";

/** The triggers that keep the counts, but for changes of many pairs, which pause them and count at once. */
export const sqliteTriggers = [
  trigger("count_subtrees_of_new_pair", `after insert on item_tags ${NOT_PAUSED}`, addingPair("new", 1)),
  trigger("count_subtrees_of_deleted_pair", `after delete on item_tags ${NOT_PAUSED}`, addingPair("old", -1)),
  trigger(
    "count_subtrees_of_shared_item",
    `after update of creator_id, visibility, current_creator_id, current_visibility on items
      when ${hasOtherReaders("old", "new")}`,
    `${addingToTags("old", -1)} ${addingToTags("new", 1)}`,
  ),
  // Before, because the counts of the tags above depend on it, and the database deletes the tags below after it.
  trigger(
    "untag_with_deleted_tag",
    "before delete on tags",
    `delete from item_tags where tag_id in (${withTagsBelow("select old.id as id")});`,
  ),
  trigger(
    "count_subtrees_of_moved_tag",
    "after update of parent_id on tags when old.parent_id is distinct from new.parent_id",
    addingMoved,
  ),
];
