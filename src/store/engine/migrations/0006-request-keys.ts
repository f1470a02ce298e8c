import type { Migration } from "../migrate.ts";

/** Creates the table of idempotency keys, which identify repeated publish requests. */
export const requestKeysMigration: Migration = {
  number: 6,
  name: "request keys",
  async up({ schema }) {
    await schema
      .createTable("request_keys")
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("workspace_id", "text", (column) => column.notNull().references("workspaces.id").onDelete("cascade"))
      .addColumn("key", "text", (column) => column.notNull())
      .addColumn("fingerprint", "text", (column) => column.notNull())
      .addColumn("published", "text", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("request_keys_key", ["user_id", "workspace_id", "key"])
      .execute();
    await schema.createIndex("request_keys_by_expiry").on("request_keys").column("expires_at").execute();
  },
};
