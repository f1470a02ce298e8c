import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Columns that rows of the release before don't have. */
const COLUMNS: readonly (readonly [table: string, column: string, type: "text" | "bigint" | "integer"])[] = [
  ["items", "protected_at", "bigint"],
  ["versions", "protected_at", "bigint"],
  ["deletions", "kind", "text"],
  ["deletions", "batch_id", "text"],
  ["deletions", "reason", "text"],
  ["deletions", "deleted_at", "bigint"],
  ["deletions", "item_id", "bigint"],
  ["deletions", "creator_id", "text"],
  ["deletions", "version_creator_id", "text"],
  ["deletions", "name", "text"],
  ["deletions", "code", "text"],
  ["deletions", "title", "text"],
  ["deletions", "version_no", "integer"],
  ["deletions", "versions", "integer"],
  ["deletions", "size", "bigint"],
];

/**
 * Turns deletions that can be undone into the trash, and adds protection and retention rules. Triggers keep the size of
 * each workspace's trash, so that it is also right while a replica of the release before deletes expired rows.
 */
export const trashMigration: Migration = {
  number: 24,
  name: "trash",
  async up(database, engine) {
    for (const [table, column, type] of COLUMNS) {
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} ${sql.raw(type)}`.execute(database);
    }
    await createTables(database);
    await createIndexes(database);
    for (const statement of engine.name === "sqlite" ? sqliteTriggers : postgresTriggers) {
      await statement.execute(database);
    }
  },
};

async function createTables({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable("trashed_versions")
    .addColumn("code", "text", (column) => column.primaryKey())
    .addColumn("deletion_id", "text", (column) => column.notNull().references("deletions.id").onDelete("cascade"))
    .addColumn("item_id", "bigint", (column) => column.notNull())
    .addColumn("version_no", "integer", (column) => column.notNull())
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("files", "text", (column) => column.notNull())
    .addColumn("stand_ins", "text")
    // JSON: all other columns, including those of later migrations.
    .addColumn("other_columns", "text", (column) => column.notNull())
    .execute();
  await schema
    .createTable("trash_sizes")
    .addColumn("workspace_id", "text", (column) => column.primaryKey())
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .addColumn("entries", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("retention_rules")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
    // The folder or tag, or empty for the whole workspace.
    .addColumn("place", "text", (column) => column.notNull())
    .addColumn("folder_id", "text", (column) => column.references("folders.id").onDelete("cascade"))
    .addColumn("tag_id", "text", (column) => column.references("tags.id").onDelete("cascade"))
    .addColumn("keep", "integer")
    .addColumn("days", "integer")
    .addColumn("set_by", "text", (column) => column.notNull())
    .addColumn("set_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("retention_rules_place", ["workspace_id", "place"])
    .execute();
}

async function createIndexes(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.createIndex("trashed_versions_of_deletion").on("trashed_versions").column("deletion_id").execute();
  await schema.createIndex("retention_rules_of_folder").on("retention_rules").column("folder_id").execute();
  await schema.createIndex("retention_rules_of_tag").on("retention_rules").column("tag_id").execute();
  // Rows of the release before have no kind.
  for (const [name, columns] of [
    ["trash_of_workspace", "workspace_id, deleted_at, id"],
    ["trash_of_batch", "batch_id"],
    ["trash_of_item", "item_id"],
  ] as const) {
    await sql`create index ${sql.ref(name)} on deletions (${sql.raw(columns)}) where kind is not null`.execute(
      database,
    );
  }
  await sql`create index former_deletions on deletions (id) where kind is null`.execute(database);
}

const sqliteTriggers: readonly RawBuilder<unknown>[] = [
  sql`create trigger weigh_new_trash after insert on deletions when new.kind is not null begin
    insert into trash_sizes (workspace_id, bytes, entries) values (new.workspace_id, new.size, 1)
      on conflict (workspace_id) do update set bytes = bytes + excluded.bytes, entries = entries + 1;
  end`,
  sql`create trigger weigh_old_trash after delete on deletions when old.kind is not null begin
    update trash_sizes set bytes = bytes - old.size, entries = entries - 1 where workspace_id = old.workspace_id;
    delete from trash_sizes where workspace_id = old.workspace_id and entries = 0;
  end`,
];

const postgresTriggers: readonly RawBuilder<unknown>[] = [
  sql`create function weigh_new_trash() returns trigger language plpgsql as $$ begin
    insert into trash_sizes (workspace_id, bytes, entries)
      select workspace_id, sum(size), count(*) from changed where kind is not null
      group by workspace_id order by workspace_id
      on conflict (workspace_id) do update set
        bytes = trash_sizes.bytes + excluded.bytes, entries = trash_sizes.entries + excluded.entries;
    return null;
  end $$`,
  sql`create function weigh_old_trash() returns trigger language plpgsql as $$ begin
    update trash_sizes set bytes = trash_sizes.bytes - gone.bytes, entries = trash_sizes.entries - gone.entries
      from (select workspace_id, sum(size) as bytes, count(*) as entries from changed where kind is not null
        group by workspace_id) as gone
      where trash_sizes.workspace_id = gone.workspace_id;
    delete from trash_sizes where entries = 0 and workspace_id in (select workspace_id from changed);
    return null;
  end $$`,
  sql`create trigger weigh_new_trash after insert on deletions
    referencing new table as changed for each statement execute function weigh_new_trash()`,
  sql`create trigger weigh_old_trash after delete on deletions
    referencing old table as changed for each statement execute function weigh_old_trash()`,
];
