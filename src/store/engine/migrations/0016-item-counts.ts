import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Migration } from "../migrate.ts";
import { COLUMNS, READERS, readerOf } from "./0016-item-readers.ts";
import { postgresTriggers } from "./0016-postgres-triggers.ts";
import { sqliteTriggers } from "./0016-sqlite-triggers.ts";

/**
 * Adds the numbers of items by folder and tag, for each kind of reader, and of changes to a workspace's cabinet. Triggers
 * keep them, so that they are also right while a replica of the release before writes.
 */
export const itemCountsMigration: Migration = {
  number: 16,
  name: "item-counts",
  async up(database, engine) {
    const run = async (statements: readonly RawBuilder<unknown>[]) => {
      for (const statement of statements) await statement.execute(database);
    };
    // Keeps other replicas from writing between the first count and the triggers.
    if (engine.name === "postgres") await run([sql`lock table items, item_tags in share row exclusive mode`]);
    await createTables(database, engine.name);
    await run([fillFolders, fillTags, fillTagged]);
    await run(engine.name === "sqlite" ? sqliteTriggers : postgresTriggers);
  },
};

type EngineName = "sqlite" | "postgres";

async function createTables({ schema }: Kysely<unknown>, engine: EngineName): Promise<void> {
  const columnsOf = (name: string) =>
    schema
      .createTable(name)
      .addColumn("workspace_id", "text", (column) => column.notNull())
      // 'owners', who read everything, 'members', or the user who reads what other members don't. Empty for 'change'.
      .addColumn("reader", "text", (column) => column.notNull())
      // 'folder', 'tag', 'tagged' for items with any tag, or 'change' for changes of any count, drawer, folder or tag.
      .addColumn("kind", "text", (column) => column.notNull())
      // The id of the folder or tag. Empty for items that are in no folder, and for the other kinds.
      .addColumn("place", "text", (column) => column.notNull())
      .addColumn("count", "bigint", (column) => column.notNull());
  const counts = columnsOf("item_counts").addPrimaryKeyConstraint("item_counts_key", [
    "workspace_id",
    "reader",
    "kind",
    "place",
  ]);
  const every = "select workspace_id, reader, kind, place, count from item_counts";
  if (engine === "sqlite") {
    await counts.modifyEnd(sql`without rowid`).execute();
    await schema.createView("current_item_counts").as(sql.raw(every)).execute();
  } else {
    await counts.modifyEnd(sql`with (fillfactor = 70)`).execute();
    await columnsOf("item_count_changes").execute();
    await schema
      .createIndex("item_count_changes_of_workspace")
      .on("item_count_changes")
      .column("workspace_id")
      .execute();
    const changes = every.replace("item_counts", "item_count_changes");
    await schema
      .createView("current_item_counts")
      .as(sql.raw(`${every} union all ${changes}`))
      .execute();
  }
}

const fillFolders = sql.raw(`
  insert into item_counts (${COLUMNS})
  select workspace_id, reader, 'folder', place, count(*) from (
    select items.workspace_id, ${readerOf("items")} as reader, coalesce(items.folder_id, '') as place
    from items cross join ${READERS}) as counted
  where reader is not null group by workspace_id, reader, place`);

const fillTags = sql.raw(`
  insert into item_counts (${COLUMNS})
  select workspace_id, reader, 'tag', place, count(*) from (
    select item_tags.workspace_id, ${readerOf("items")} as reader, item_tags.tag_id as place
    from item_tags join items on items.id = item_tags.item_id cross join ${READERS}) as counted
  where reader is not null group by workspace_id, reader, place`);

const fillTagged = sql.raw(`
  insert into item_counts (${COLUMNS})
  select workspace_id, reader, 'tagged', '', count(*) from (
    select tagged.workspace_id, ${readerOf("items")} as reader
    from (select distinct workspace_id, item_id from item_tags) as tagged
      join items on items.id = tagged.item_id cross join ${READERS}) as counted
  where reader is not null group by workspace_id, reader`);
