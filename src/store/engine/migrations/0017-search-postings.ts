import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";
import type { Migration } from "../migrate.ts";
import { rebuildPostings } from "../postings/merge.ts";
import type { Schema } from "../schema.ts";

/** Adds an index of the items by term. Triggers log what it lacks, so that replicas that don't know it may write too. */
export const searchPostingsMigration: Migration = {
  number: 17,
  name: "search postings",
  async up(database, engine) {
    await createTables(database, engine);
    await (engine.name === "sqlite" ? logOnSqlite(database) : logOnPostgres(database));
    await rebuildPostings(database.withTables<{ [Table in keyof Schema]: Schema[Table] }>());
  },
};

async function createTables(database: Kysely<unknown>, engine: Engine): Promise<void> {
  await database.schema
    .createTable("search_changes")
    .addColumn("id", engine.name === "sqlite" ? "integer" : "bigint", (column) =>
      // SQLite may reuse the numbers of deleted rows, which saves a row that counts them.
      engine.name === "sqlite" ? column.primaryKey() : engine.identity(column),
    )
    .addColumn("workspace_id", "text", (column) => column.notNull())
    .addColumn("item_id", "bigint", (column) => column.notNull())
    .addColumn("parts", "integer", (column) => column.notNull())
    .execute();
  if (engine.name === "sqlite") {
    // Sorted by block, because new items change postings of the last block only.
    await sql`create table search_postings (block integer not null, term integer not null, ids blob not null,
      primary key (block, term)) without rowid`.execute(database);
    return;
  }
  await sql`create table search_postings (block integer not null, term integer not null, ids bytea not null,
    primary key (term, block))`.execute(database);
  // Compressing them takes longer than it saves.
  await sql`alter table search_postings alter column ids set storage external`.execute(database);
}

/** The columns of items that the index knows as places, apart from the folder. */
const PLACE_COLUMNS = ["workspace_id", "visibility", "current_visibility", "creator_id", "current_creator_id"];

const differ = (columns: readonly string[]) =>
  sql.join(
    columns.map((column) => sql`old.${sql.ref(column)} <> new.${sql.ref(column)}`),
    sql` or `,
  );

const hasNewText = differ(["search_text", "workspace_id"]);
const hasNewPlace = sql`${differ(PLACE_COLUMNS)}
  or (new.folder_id is not null and (old.folder_id is null or old.folder_id <> new.folder_id))`;
const placeColumns = sql.join([...PLACE_COLUMNS, "folder_id"].map((column) => sql.ref(column)));

async function logOnSqlite(database: Kysely<unknown>): Promise<void> {
  const log = (item: "id" | "item_id", parts: number) => sql`
    begin insert into search_changes (workspace_id, item_id, parts)
      values (new.workspace_id, new.${sql.ref(item)}, ${sql.lit(parts)}); end`;
  await sql`create trigger items_added_to_search after insert on items ${log("id", 3)}`.execute(database);
  await sql`create trigger items_with_new_text after update of search_text, workspace_id on items
    when ${hasNewText} ${log("id", 1)}`.execute(database);
  await sql`create trigger items_with_new_place after update of ${placeColumns} on items
    when ${hasNewPlace} ${log("id", 2)}`.execute(database);
  await sql`create trigger items_with_new_tag after insert on item_tags ${log("item_id", 2)}`.execute(database);
}

async function logOnPostgres(database: Kysely<unknown>): Promise<void> {
  const createLog = (name: string, item: "id" | "item_id") => sql`
    create function ${sql.id(name)}() returns trigger language plpgsql as $$
      begin
        insert into search_changes (workspace_id, item_id, parts)
        values (new.workspace_id, new.${sql.ref(item)}, tg_argv[0]::integer);
        return null;
      end $$`;
  await createLog("log_item_for_search", "id").execute(database);
  await createLog("log_tag_for_search", "item_id").execute(database);
  await sql`create trigger items_added_to_search after insert on items
    for each row execute function log_item_for_search(3)`.execute(database);
  await sql`create trigger items_with_new_text after update of search_text, workspace_id on items
    for each row when (${hasNewText}) execute function log_item_for_search(1)`.execute(database);
  await sql`create trigger items_with_new_place after update of ${placeColumns} on items
    for each row when (${hasNewPlace}) execute function log_item_for_search(2)`.execute(database);
  await sql`create trigger items_with_new_tag after insert on item_tags
    for each row execute function log_tag_for_search(2)`.execute(database);
}
