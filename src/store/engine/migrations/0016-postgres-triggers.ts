import { sql } from "kysely";
import { ADD, COLUMNS, hasOtherPlace, hasOtherReaders, READERS, readerOf } from "./0016-item-readers.ts";

const COUNT_LOCK = 7_140_023;

const createFunction = (signature: string, body: string) =>
  sql.raw(`create function ${signature} language plpgsql as $$ ${body} $$`);

/**
 * One transaction at a time changes the counts of a workspace. Others don't wait, since they might hold what it needs.
 * They note their changes, which are part of the counts, and the next one merges them.
 */
const changeItemCounts = createFunction(
  "change_item_counts(changes item_count_changes[]) returns void",
  `declare
    changed text;
    emptied item_counts[];
  begin
    for changed in select distinct workspace_id from unnest(changes) loop
      if pg_try_advisory_xact_lock(${COUNT_LOCK}, hashtext(changed)) then
        with noted as (
          delete from item_count_changes where workspace_id = changed returning *
        ), summed as (
          select reader, kind, place, cast(sum(count) as bigint) as count
          from (
            select * from unnest(changes) union all select * from noted union all select changed, '', 'change', '', 1
          ) as every
          where workspace_id = changed group by reader, kind, place having sum(count) <> 0
        ), added as (
          insert into item_counts (${COLUMNS}) select changed, reader, kind, place, count from summed ${ADD}
          returning ${COLUMNS}
        )
        select array_agg(row(${COLUMNS})::item_counts) into emptied from added where count = 0;
        if emptied is not null then
          delete from item_counts using unnest(emptied) as gone where item_counts.workspace_id = gone.workspace_id
            and item_counts.reader = gone.reader and item_counts.kind = gone.kind and item_counts.place = gone.place;
        end if;
      else
        insert into item_count_changes
        select * from unnest(changes) where workspace_id = changed and kind <> 'change'
        union all select changed, '', 'change', '', 1;
      end if;
    end loop;
  end`,
);

/** Returns the statement of a PostgreSQL trigger that adds to the counts. */
const changing = (...selected: string[]) => `
  perform change_item_counts(array_agg(row(workspace_id, reader, kind, place, changed)::item_count_changes)) from (
    select workspace_id, reader, kind, place, sum(number) as changed from (${selected.join(" union all ")}) as part
    where reader is not null group by workspace_id, reader, kind, place having sum(number) <> 0) as total;`;

const inFolder = (items: "old_items" | "new_items", by: 1 | -1) => `
  select workspace_id, ${readerOf(items)} as reader, 'folder' as kind, coalesce(folder_id, '') as place, ${by} as number
  from ${items} cross join ${READERS}`;

const inTags = (items: "old_items" | "new_items", by: 1 | -1) =>
  [
    ["'tag'", "tag_id"],
    ["'tagged'", "''"],
  ]
    .map(
      ([kind, place]) => `
        select pairs.workspace_id, ${readerOf(items)} as reader, ${kind} as kind, pairs.place, ${by} as number
        from ${items} cross join lateral (
          select distinct workspace_id, ${place} as place from item_tags where item_id = ${items}.id) as pairs
        cross join ${READERS} where readers.number > 1`,
    )
    .join(" union all ");

/** Selects the tags of pairs, and the items that now have their first tags or have lost their last ones. */
const ofPairs = (pairs: "old_pairs" | "new_pairs", by: 1 | -1) => `
  select counted.workspace_id, ${readerOf("items")} as reader, kind, place, ${by} as number
  from (
    select workspace_id, item_id, 'tag' as kind, tag_id as place from ${pairs}
    union all
    select workspace_id, item_id, 'tagged', '' from ${pairs} group by workspace_id, item_id
    having (select count(*) from item_tags where item_tags.item_id = ${pairs}.item_id
      and item_tags.workspace_id = ${pairs}.workspace_id) = ${pairs === "new_pairs" ? "count(*)" : "0"}
  ) as counted join items on items.id = counted.item_id cross join ${READERS}`;

/** Locks the items: a change of an item's tags or readers has to see the changes of other transactions. */
const lockItems = (pairs: "old_pairs" | "new_pairs") => `
  if not exists (select from ${pairs}) then return null; end if;
  perform 1 from items where id in (select item_id from ${pairs}) order by id for no key update;`;

const triggerFunction = (name: string, statements: string) =>
  createFunction(`${name}() returns trigger`, `begin ${statements} return null; end`);

const isAny = (...conditions: ((before: string, after: string) => string)[]) =>
  `exists (select from old_items join new_items on new_items.id = old_items.id
    where ${conditions.map((condition) => condition("old_items", "new_items")).join(" or ")})`;

const statementTrigger = (name: string, event: string) =>
  sql.raw(`create trigger ${name} after ${event} for each statement execute function ${name}()`);

const cabinetTrigger = (event: "insert" | "update" | "delete", rows: "old" | "new", table: string) =>
  sql.raw(`create trigger count_${event}_of_${table} after ${event} on ${table}
    referencing ${rows} table as changed_rows for each statement execute function count_cabinet_change()`);

/** The functions and triggers that keep the counts. */
export const postgresTriggers = [
  changeItemCounts,
  triggerFunction(
    "count_new_items",
    `if exists (select from new_items) then ${changing(inFolder("new_items", 1))} end if;`,
  ),
  triggerFunction(
    "count_changed_items",
    `if ${isAny(hasOtherPlace, hasOtherReaders)} then
      ${changing(inFolder("old_items", -1), inFolder("new_items", 1))}
      if ${isAny(hasOtherReaders)} then ${changing(inTags("old_items", -1), inTags("new_items", 1))} end if;
    end if;`,
  ),
  createFunction(
    "untag_deleted_item() returns trigger",
    "begin delete from item_tags where item_id = old.id; return old; end",
  ),
  triggerFunction("count_deleted_items", changing(inFolder("old_items", -1))),
  triggerFunction(
    "count_cabinet_change",
    `perform change_item_counts(array_agg(row(workspace_id, '', 'change', '', 0)::item_count_changes))
      from (select distinct workspace_id from changed_rows) as cabinet;`,
  ),
  triggerFunction(
    "count_default_folder",
    "perform change_item_counts(array[row(new.id, '', 'change', '', 0)::item_count_changes]);",
  ),
  triggerFunction(
    "forget_counts_of_workspace",
    `delete from item_counts where workspace_id = old.id and kind = 'change';
    delete from item_count_changes where workspace_id = old.id and kind = 'change';`,
  ),
  triggerFunction("count_new_tags", `${lockItems("new_pairs")} ${changing(ofPairs("new_pairs", 1))}`),
  triggerFunction("count_deleted_tags", `${lockItems("old_pairs")} ${changing(ofPairs("old_pairs", -1))}`),
  statementTrigger("count_new_items", "insert on items referencing new table as new_items"),
  statementTrigger("count_changed_items", "update on items referencing old table as old_items new table as new_items"),
  // Before, because the counts of a tag depend on the item.
  sql.raw(`create trigger untag_deleted_item before delete on items
    for each row execute function untag_deleted_item()`),
  statementTrigger("count_deleted_items", "delete on items referencing old table as old_items"),
  ...["drawers", "folders", "tags"].flatMap((table) => [
    cabinetTrigger("insert", "new", table),
    cabinetTrigger("update", "new", table),
    cabinetTrigger("delete", "old", table),
  ]),
  sql.raw(`create trigger count_default_folder after update of default_folder_id on workspaces
    for each row when (old.default_folder_id is distinct from new.default_folder_id)
    execute function count_default_folder()`),
  // Deferred, so that it follows the changes of everything in the workspace.
  sql.raw(`create constraint trigger forget_counts_of_workspace after delete on workspaces
    deferrable initially deferred for each row execute function forget_counts_of_workspace()`),
  statementTrigger("count_new_tags", "insert on item_tags referencing new table as new_pairs"),
  statementTrigger("count_deleted_tags", "delete on item_tags referencing old table as old_pairs"),
];
