import { sql } from "kysely";
import { ADD, COLUMNS, hasOtherPlace, hasOtherReaders, READERS, readerOf } from "./0016-item-readers.ts";

const hasReader = (item: string) => `${readerOf(item)} is not null`;

/** Returns the statement of a SQLite trigger that adds to the counts. */
const adding = (selected: string) => `insert into item_counts (${COLUMNS}) ${selected} ${ADD};`;

const addingToFolder = (item: "old" | "new", by: 1 | -1) =>
  adding(`select ${item}.workspace_id, ${readerOf(item)}, 'folder', coalesce(${item}.folder_id, ''), ${by}
    from ${READERS} where ${hasReader(item)}`);

/** Adds to all tags of an item that has changed. Its owners stay the same. */
const addingToTags = (item: "old" | "new", by: 1 | -1) =>
  ["'tag', tag_id", "'tagged', ''"]
    .map((place) =>
      adding(`select distinct workspace_id, ${readerOf(item)}, ${place}, ${by}
        from item_tags cross join ${READERS}
        where item_id = ${item}.id and readers.number > 1 and ${hasReader(item)}`),
    )
    .join("\n");

/** Adds to a tag, and to the tagged items if it is the only tag of an item. */
const addingPair = (pair: "old" | "new", by: 1 | -1) =>
  adding(`select ${pair}.workspace_id, ${readerOf("items")}, places.kind, places.place, ${by}
    from items cross join ${READERS} cross join (
      select 'tag' as kind, ${pair}.tag_id as place
      union all
      select 'tagged', '' where not exists (select 1 from item_tags
        where item_id = ${pair}.item_id and workspace_id = ${pair}.workspace_id and tag_id <> ${pair}.tag_id)
    ) as places
    where items.id = ${pair}.item_id and ${hasReader("items")}`);

const countChange = (workspaceId: string) => adding(`select ${workspaceId}, '', 'change', '', 1 where true`);

const trigger = (name: string, event: string, statements: string) =>
  sql.raw(`create trigger ${name} ${event} begin ${statements} end`);

/** Returns the triggers that count every change of a table's rows. */
const countingChanges = (table: string) =>
  (["insert", "update", "delete"] as const).map((event) =>
    trigger(
      `count_${event}_of_${table}`,
      `after ${event} on ${table}`,
      countChange(event === "delete" ? "old.workspace_id" : "new.workspace_id"),
    ),
  );

/** The triggers that keep the counts. */
export const sqliteTriggers = [
  trigger("count_new_item", "after insert on items", `${addingToFolder("new", 1)} ${countChange("new.workspace_id")}`),
  trigger(
    "count_changed_item",
    `after update of workspace_id, folder_id, creator_id, visibility, current_creator_id, current_visibility on items
      when ${hasOtherPlace("old", "new")} or ${hasOtherReaders("old", "new")}`,
    `${addingToFolder("old", -1)} ${addingToFolder("new", 1)}
    ${countChange("old.workspace_id")} ${countChange("new.workspace_id")}`,
  ),
  trigger(
    "count_shared_item",
    `after update of creator_id, visibility, current_creator_id, current_visibility on items
      when ${hasOtherReaders("old", "new")}`,
    `${addingToTags("old", -1)} ${addingToTags("new", 1)}
    ${adding("select distinct workspace_id, '', 'change', '', 1 from item_tags where item_id = new.id")}`,
  ),
  // Before, because the counts of a tag depend on the item.
  trigger("untag_deleted_item", "before delete on items", "delete from item_tags where item_id = old.id;"),
  trigger(
    "count_deleted_item",
    "after delete on items",
    `${addingToFolder("old", -1)} ${countChange("old.workspace_id")}`,
  ),
  trigger("count_new_tag", "after insert on item_tags", `${addingPair("new", 1)} ${countChange("new.workspace_id")}`),
  trigger(
    "count_deleted_tag",
    "after delete on item_tags",
    `${addingPair("old", -1)} ${countChange("old.workspace_id")}`,
  ),
  trigger(
    "forget_empty_count",
    "after update of count on item_counts when new.count = 0",
    `delete from item_counts where workspace_id = new.workspace_id
      and reader = new.reader and kind = new.kind and place = new.place;`,
  ),
  ...["drawers", "folders", "tags"].flatMap(countingChanges),
  trigger(
    "count_default_folder",
    "after update of default_folder_id on workspaces when old.default_folder_id is distinct from new.default_folder_id",
    countChange("new.id"),
  ),
  trigger(
    "forget_counts_of_workspace",
    "after delete on workspaces",
    "delete from item_counts where workspace_id = old.id and kind = 'change';",
  ),
];
