import { type Kysely, sql } from "kysely";
import type { Visibility } from "../../../domain/model/entities.ts";
import { foldText, searchText, sortText } from "../../../domain/search/search-text.ts";
import type { Engine } from "../engine.ts";
import { gramList, gramsOfCode } from "../grams.ts";
import type { Migration } from "../migrate.ts";

/** Adds what search, sorting and shortcuts need: folded texts, an index of their pieces, and the shortcuts. */
export const orderMigration: Migration = {
  number: 5,
  name: "order",
  async up(database, engine) {
    await extendItems(database, engine);
    await extendCabinet(database);
    await addWorkspaceToItemTags(database);
    await createShortcuts(database);
    await createSearchTables(database, engine);
    await fillItems(database);
    await fillCodes(database);
    await fillCabinet(database);
    await createItemIndexes(database);
  },
};

/** Copies fields of the current version to its item, so that search, sorting and read access need no other row. */
async function extendItems(database: Kysely<unknown>, { sortedText }: Engine): Promise<void> {
  const { schema } = database;
  const text = (name: string) =>
    schema.alterTable("items").addColumn(name, "text", (column) => column.notNull().defaultTo(""));
  await text("title").execute();
  await text("search_text").execute();
  await text("current_creator_id").execute();
  await schema
    .alterTable("items")
    .addColumn("current_visibility", "text", (column) => column.notNull().defaultTo("private"))
    .execute();
  for (const name of ["sort_title", "sort_name"]) {
    await schema
      .alterTable("items")
      .addColumn(name, sortedText, (column) => column.notNull().defaultTo(""))
      .execute();
  }
}

async function extendCabinet(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  for (const table of ["drawers", "folders", "tags"]) {
    await schema
      .alterTable(table)
      .addColumn("search_title", "text", (column) => column.notNull().defaultTo(""))
      .execute();
  }
  await schema.createIndex("drawers_of_workspace").on("drawers").columns(["workspace_id", "title"]).execute();
  // Covering indexes: a word search reads all titles of a workspace.
  await schema
    .createIndex("folders_by_title")
    .on("folders")
    .columns(["workspace_id", "search_title", "drawer_id", "id"])
    .execute();
  await schema.dropIndex("tags_of_workspace").execute();
  await schema.createIndex("tags_by_title").on("tags").columns(["workspace_id", "search_title", "id"]).execute();
  await schema.createIndex("folders_of_workspace").on("folders").columns(["workspace_id", "title"]).execute();
  await schema.createIndex("tags_of_parent").on("tags").column("parent_id").execute();
}

/** Adds the workspace to `item_tags`, so that counting a workspace's tagged items needs no other table. */
async function addWorkspaceToItemTags(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.alterTable("item_tags").renameTo("old_item_tags").execute();
  await schema.dropIndex("items_of_tag").execute();
  await schema
    .createTable("item_tags")
    .addColumn("item_id", "bigint", (column) => column.notNull().references("items.id").onDelete("cascade"))
    .addColumn("tag_id", "text", (column) => column.notNull().references("tags.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("item_tags_pair", ["item_id", "tag_id"])
    .execute();
  await sql`
    insert into item_tags (item_id, tag_id, workspace_id)
    select item_id, tag_id, workspace_id from old_item_tags join items on items.id = item_id`.execute(database);
  await schema.dropTable("old_item_tags").execute();
  await schema.createIndex("items_of_tag").on("item_tags").columns(["tag_id", "item_id"]).execute();
  await schema.createIndex("tagged_items_of_workspace").on("item_tags").columns(["workspace_id", "item_id"]).execute();
}

async function createShortcuts(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable("shortcuts")
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("kind", "text", (column) => column.notNull())
    .addColumn("ref", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("shortcuts_key", ["user_id", "workspace_id", "kind", "ref"])
    .execute();
}

async function createSearchTables(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = database;
  await schema
    .createTable("search_codes")
    .addColumn("id", engine.name === "sqlite" ? "integer" : "bigint", (column) => engine.identity(column))
    .addColumn("item_id", "bigint", (column) => column.notNull())
    .addColumn("code", "text", (column) => column.notNull().unique())
    .addColumn("folded", "text", (column) => column.notNull())
    .execute();
  await schema.createIndex("search_codes_of_item").on("search_codes").column("item_id").execute();
  await engine.createGramTable(database, "item_grams");
  await engine.createGramTable(database, "code_grams");
}

/** Rows read at a time. */
const BATCH = 1_000;

async function fillItems(database: Kysely<unknown>): Promise<void> {
  interface Row {
    id: number;
    workspace_id: string;
    name: string | null;
    title: string;
    creator_id: string;
    visibility: Visibility;
  }
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`
      select items.id, items.workspace_id, items.name, versions.title, versions.creator_id, versions.visibility
      from items join versions on versions.code = items.current_code
      where items.id > ${last} order by items.id limit ${BATCH}`.execute(database);
    for (const { id, workspace_id, name, title, creator_id, visibility } of rows) {
      const text = searchText(name, title);
      await sql`update items set title = ${title}, search_text = ${text}, sort_title = ${sortText(title)},
        sort_name = ${name ?? "~"}, current_creator_id = ${creator_id}, current_visibility = ${visibility}
        where id = ${id}`.execute(database);
      await sql`insert into item_grams (rowid, grams) values (${id}, ${gramList(workspace_id, text)})`.execute(
        database,
      );
      last = id;
    }
    if (rows.length < BATCH) return;
  }
}

async function fillCodes(database: Kysely<unknown>): Promise<void> {
  for (let last = ""; ; ) {
    const { rows } = await sql<{ code: string; item_id: number; workspace_id: string }>`
      select code, item_id, workspace_id from versions join items on items.id = item_id
      where code > ${last} order by code limit ${BATCH}`.execute(database);
    for (const { code, item_id, workspace_id } of rows) {
      const { rows: added } = await sql<{ id: number }>`
        insert into search_codes (item_id, code, folded) values (${item_id}, ${code}, ${foldText(code)})
        returning id`.execute(database);
      const grams = gramsOfCode(workspace_id, code);
      await sql`insert into code_grams (rowid, grams) values (${added[0]?.id}, ${grams})`.execute(database);
      last = code;
    }
    if (rows.length < BATCH) return;
  }
}

async function fillCabinet(database: Kysely<unknown>): Promise<void> {
  for (const table of ["drawers", "folders", "tags"]) {
    const { rows } = await sql<{ id: string; title: string }>`select id, title from ${sql.table(table)}`.execute(
      database,
    );
    for (const { id, title } of rows) {
      await sql`update ${sql.table(table)} set search_title = ${foldText(title)} where id = ${id}`.execute(database);
    }
  }
}

/** Creates an index for each sort order. */
async function createItemIndexes(database: Kysely<unknown>): Promise<void> {
  for (const column of ["updated_at", "created_at", "sort_title", "sort_name"]) {
    await database.schema
      .createIndex(`items_by_${column}`)
      .on("items")
      .columns(["workspace_id", column, "id"])
      .execute();
  }
}
