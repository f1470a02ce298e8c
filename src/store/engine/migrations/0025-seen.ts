import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the record of who has seen which version, which workspaces turn on, and the batches that were added to it. */
export const seenMigration: Migration = {
  number: 25,
  name: "seen",
  async up(database) {
    const { schema } = database;
    await sql`alter table workspaces add column seen_by text`.execute(database);
    await schema
      .createTable("seen")
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("link", "text", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull())
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("times", "bigint", (column) => column.notNull())
      .addColumn("last_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("seen_key", ["code", "link", "user_id"])
      .execute();
    await schema.createIndex("seen_of_workspace").on("seen").columns(["workspace_id", "user_id"]).execute();
    await schema.createIndex("seen_by_user").on("seen").column("user_id").execute();
    await schema.createIndex("seen_by_age").on("seen").column("last_at").execute();
    await schema
      .createTable("seen_batches")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("added_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
