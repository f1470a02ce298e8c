import { type Kysely, sql } from "kysely";
import type { Engine } from "../engine.ts";
import type { Migration } from "../migrate.ts";

/** Creates the tables of users, workspaces, tokens, reports with their versions, drawers, folders and tags. */
export const publishMigration: Migration = {
  number: 1,
  name: "publish",
  async up(database, engine) {
    await createAccounts(database);
    await createCabinet(database);
    await createItems(database, engine);
  },
};

async function createAccounts(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable("users")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("email", "text", (column) => column.notNull().unique())
    .addColumn("name", "text")
    .addColumn("password_hash", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("workspaces")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("slug", "text", (column) => column.notNull().unique())
    .addColumn("kind", "text", (column) => column.notNull().check(sql`kind in ('user', 'org')`))
    .addColumn("display_name", "text")
    .addColumn("plan", "text", (column) => column.notNull().check(sql`plan in ('free', 'pro')`))
    .addColumn("default_folder_id", "text")
    .addColumn("stored_bytes", "bigint", (column) => column.notNull().defaultTo(0).check(sql`stored_bytes >= 0`))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema
    .createTable("memberships")
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (column) => column.notNull().check(sql`role in ('owner', 'admin', 'member')`))
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("memberships_key", ["user_id", "workspace_id"])
    .execute();
  await schema.createIndex("memberships_of_workspace").on("memberships").column("workspace_id").execute();
  await schema
    .createTable("tokens")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("hash", "text", (column) => column.notNull().unique())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("expires_at", "bigint")
    .addColumn("last_used_at", "bigint")
    .execute();
  await schema.createIndex("tokens_of_user").on("tokens").column("user_id").execute();
}

async function createCabinet(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  const workspace = "workspaces.id";
  await schema
    .createTable("drawers")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("workspace_id", "text", (column) => column.notNull().references(workspace).onDelete("cascade"))
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("label_key", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("drawers_label", ["workspace_id", "label_key"])
    .execute();
  await schema
    .createTable("folders")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("workspace_id", "text", (column) => column.notNull().references(workspace).onDelete("cascade"))
    .addColumn("drawer_id", "text", (column) => column.references("drawers.id").onDelete("set null"))
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("label_key", "text")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("folders_label", ["workspace_id", "label_key"])
    .execute();
  await schema.createIndex("folders_of_drawer").on("folders").column("drawer_id").execute();
  await schema
    .createTable("tags")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("workspace_id", "text", (column) => column.notNull().references(workspace).onDelete("cascade"))
    .addColumn("parent_id", "text", (column) => column.references("tags.id").onDelete("cascade"))
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .execute();
  await schema.createIndex("tags_of_workspace").on("tags").column("workspace_id").execute();
}

async function createItems(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const { schema } = database;
  const visibility = sql`visibility in ('public', 'private', 'org')`;
  await schema
    .createTable("items")
    .addColumn("id", engine.name === "sqlite" ? "integer" : "bigint", (column) => engine.identity(column))
    .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id"))
    .addColumn("creator_id", "text", (column) => column.notNull().references("users.id"))
    .addColumn("name", "text", (column) => column.unique())
    .addColumn("visibility", "text", (column) => column.notNull().check(visibility))
    .addColumn("current_code", "text", (column) => column.notNull())
    .addColumn("last_version_no", "integer", (column) => column.notNull())
    .addColumn("folder_id", "text", (column) => column.references("folders.id").onDelete("set null"))
    .addColumn("folder_changed_at", "bigint")
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addColumn("updated_at", "bigint", (column) => column.notNull())
    .execute();
  await sql`create index groups_of_workspace on items (workspace_id, id) where name is not null`.execute(database);
  await sql`create index reports_of_workspace on items (workspace_id, id) where name is null`.execute(database);
  await schema.createIndex("items_of_folder").on("items").column("folder_id").execute();
  await schema
    .createTable("versions")
    .addColumn("code", "text", (column) => column.primaryKey())
    .addColumn("item_id", "bigint", (column) => column.notNull().references("items.id"))
    .addColumn("creator_id", "text", (column) => column.notNull().references("users.id"))
    .addColumn("version_no", "integer", (column) => column.notNull())
    .addColumn("title", "text", (column) => column.notNull())
    .addColumn("visibility", "text", (column) => column.notNull().check(visibility))
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("files", "text", (column) => column.notNull())
    .addColumn("created_at", "bigint", (column) => column.notNull())
    .addUniqueConstraint("versions_number", ["item_id", "version_no"])
    .execute();
  await schema
    .createTable("retired_codes")
    .addColumn("code", "text", (column) => column.primaryKey())
    .addColumn("retired_at", "bigint", (column) => column.notNull())
    .addColumn("swept_at", "bigint")
    .execute();
  await sql`create index retired_unswept on retired_codes (code) where swept_at is null`.execute(database);
  await schema
    .createTable("item_tags")
    .addColumn("item_id", "bigint", (column) => column.notNull().references("items.id").onDelete("cascade"))
    .addColumn("tag_id", "text", (column) => column.notNull().references("tags.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("item_tags_key", ["item_id", "tag_id"])
    .execute();
  await schema.createIndex("items_of_tag").on("item_tags").columns(["tag_id", "item_id"]).execute();
}
