import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the table of searches that users keep, and marks the sample reports that each user has in a workspace. */
export const savedFiltersMigration: Migration = {
  number: 20,
  name: "saved-filters",
  async up(database) {
    const { schema } = database;
    await sql`alter table items add column sample text`.execute(database);
    await sql`create unique index samples_of_user on items (workspace_id, creator_id, sample)
      where sample is not null`.execute(database);
    await schema
      .createTable("saved_filters")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("title", "text", (column) => column.notNull())
      .addColumn("query", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createIndex("saved_filters_of_user")
      .on("saved_filters")
      .columns(["user_id", "workspace_id", "created_at"])
      .execute();
    await schema.createIndex("saved_filters_of_workspace").on("saved_filters").column("workspace_id").execute();
  },
};
