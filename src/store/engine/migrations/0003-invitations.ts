import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the table of invitations to organizations. */
export const invitationsMigration: Migration = {
  number: 3,
  name: "invitations",
  async up({ schema }) {
    await schema
      .createTable("invitations")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("inviter_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("role", "text", (column) => column.notNull().check(sql`role in ('admin', 'member')`))
      .addColumn("email", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("invitations_of_workspace").on("invitations").column("workspace_id").execute();
  },
};
