import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the table of deletions that can be undone, and links retired codes to them. */
export const deletionsMigration: Migration = {
  number: 9,
  name: "deletions",
  async up(database) {
    const { schema } = database;
    await schema
      .createTable("deletions")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("snapshot", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("deletions_by_expiry").on("deletions").column("expires_at").execute();
    await schema
      .alterTable("retired_codes")
      .addColumn("deletion_id", "text", (column) => column.references("deletions.id").onDelete("set null"))
      .execute();
    // Partial, because few retired codes belong to a deletion that can be undone.
    await sql`create index retired_of_deletion on retired_codes (deletion_id) where deletion_id is not null`.execute(
      database,
    );
  },
};
