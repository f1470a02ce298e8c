import { sql } from "kysely";
import { hasOtherReaders, READERS, readerOf } from "./0016-item-readers.ts";
import { countedSubtrees, withTagsAbove, withTagsBelow } from "./0019-subtrees.ts";

/** Excludes changes of a workspace's tree of tags from those of what is tagged. */
const TREE_LOCK = 7_140_024;

const createFunction = (signature: string, body: string) =>
  sql.raw(`create function ${signature} language plpgsql as $$ ${body} $$`);

const triggerFunction = (name: string, statements: string) =>
  createFunction(`${name}() returns trigger`, `begin ${statements} return null; end`);

const changing = (selected: string) => `
  perform change_item_counts(array_agg(row(workspace_id, reader, kind, place, changed)::item_count_changes))
  from (${selected}) as total (workspace_id, reader, kind, place, changed);`;

const changed = (selected: string, by: 1 | -1) =>
  `select workspace_id, item_id, tag_id, ${by} as number from (${selected}) as part`;

const difference = (after: string, before: string) =>
  changing(countedSubtrees(`${changed(after, 1)} union all ${changed(before, -1)}`));

const PAIRS = "select workspace_id, item_id, tag_id from";
const pairsOfItems = (items: string) => `${PAIRS} item_tags where item_id in (${items})`;

const pairsOf = (pairs: "old_pairs" | "new_pairs") => pairsOfItems(`select item_id from ${pairs}`);

/** Adds to all tags of items that other readers may read now, and to those above. Their owners stay the same. */
const inTags = (items: "old_items" | "new_items", by: 1 | -1) => `
  select tagged.workspace_id, ${readerOf(items)} as reader, tagged.tag_id as place, ${by} as number
  from ${items} join (${withTagsAbove(pairsOfItems("select id from reshared"))}) as tagged on tagged.item_id = ${items}.id
  cross join ${READERS} where readers.number > 1`;

const MOVED = `select new_tags.id, old_tags.parent_id, new_tags.workspace_id
  from old_tags join new_tags on new_tags.id = old_tags.id where new_tags.parent_id is distinct from old_tags.parent_id`;

/** The tree as it was. */
const TAGS_BEFORE = `(
  select tags.id, case when moved.id is null then tags.parent_id else moved.parent_id end as parent_id
  from tags left join (${MOVED}) as moved on moved.id = tags.id)`;

const itemsBelowMoved = `
  select item_id from item_tags where tag_id in (${withTagsBelow(`select id from (${MOVED}) as moved`)})`;

const statementTrigger = (name: string, event: string) =>
  sql.raw(`create trigger ${name} after ${event} for each statement execute function ${name}()`);

/** The functions and triggers that keep the counts. */
export const postgresTriggers = [
  // For each row, because a statement doesn't know its rows before it locks the tags.
  createFunction(
    "lock_tag_tree() returns trigger",
    `begin
      if tg_op = 'DELETE' then
        perform pg_advisory_xact_lock_shared(${TREE_LOCK}, hashtext(old.workspace_id));
        return old;
      end if;
      perform pg_advisory_xact_lock_shared(${TREE_LOCK}, hashtext(new.workspace_id));
      return new;
    end`,
  ),
  createFunction(
    "exclude_tagging(workspace text) returns void",
    `begin perform pg_advisory_xact_lock(${TREE_LOCK}, hashtext(workspace)); end`,
  ),
  triggerFunction(
    "count_subtrees_of_new_pairs",
    `if not exists (select from new_pairs) then return null; end if;
    ${difference(
      withTagsAbove(pairsOf("new_pairs")),
      withTagsAbove(`${pairsOf("new_pairs")} except ${PAIRS} new_pairs`),
    )}`,
  ),
  triggerFunction(
    "count_subtrees_of_deleted_pairs",
    `if not exists (select from old_pairs) then return null; end if;
    ${difference(
      withTagsAbove(pairsOf("old_pairs")),
      withTagsAbove(`${pairsOf("old_pairs")} union all ${PAIRS} old_pairs`),
    )}`,
  ),
  createFunction(
    "count_subtrees_of_shared_items() returns trigger",
    `begin
      if not exists (select from old_items join new_items on new_items.id = old_items.id
        where ${hasOtherReaders("old_items", "new_items")}) then return null; end if;
      perform change_item_counts(array_agg(row(workspace_id, reader, 'subtree', place, number)::item_count_changes)) from (
        with reshared as (
          select old_items.id from old_items join new_items on new_items.id = old_items.id
          where ${hasOtherReaders("old_items", "new_items")}
        )
        select workspace_id, reader, place, sum(number) as number
        from (${inTags("old_items", -1)} union all ${inTags("new_items", 1)}) as part
        where reader is not null group by workspace_id, reader, place having sum(number) <> 0
      ) as total;
      return null;
    end`,
  ),
  createFunction(
    "count_subtrees_of_moved_tags() returns trigger",
    `declare
      workspace text;
    begin
      for workspace in select distinct workspace_id from (${MOVED}) as moved order by workspace_id loop
        perform exclude_tagging(workspace);
      end loop;
      if not found then return null; end if;
      perform 1 from items where id in (${itemsBelowMoved}) order by id for no key update;
      ${difference(
        withTagsAbove(pairsOfItems(itemsBelowMoved)),
        withTagsAbove(pairsOfItems(itemsBelowMoved), TAGS_BEFORE),
      )}
      return null;
    end`,
  ),
  // Before, because the counts of the tags above depend on it, and the database deletes the tags below after it.
  createFunction(
    "untag_with_deleted_tag() returns trigger",
    `begin delete from item_tags where tag_id in (${withTagsBelow("select old.id as id")}); return old; end`,
  ),
  sql.raw(`create trigger untag_with_deleted_tag before delete on tags
    for each row execute function untag_with_deleted_tag()`),
  sql.raw(`create trigger lock_tag_tree before insert or delete on item_tags
    for each row execute function lock_tag_tree()`),
  statementTrigger("count_subtrees_of_new_pairs", "insert on item_tags referencing new table as new_pairs"),
  statementTrigger("count_subtrees_of_deleted_pairs", "delete on item_tags referencing old table as old_pairs"),
  statementTrigger(
    "count_subtrees_of_shared_items",
    "update on items referencing old table as old_items new table as new_items",
  ),
  statementTrigger(
    "count_subtrees_of_moved_tags",
    "update on tags referencing old table as old_tags new table as new_tags",
  ),
];
