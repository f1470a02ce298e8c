import type { Migration } from "../migrate.ts";

/**
 * Creates the tables of guest links and of the one-time codes that open some of them. A link doesn't reference its report,
 * so that a deleted report that is restored has its links again.
 */
export const guestLinksMigration: Migration = {
  number: 23,
  name: "guest-links",
  async up({ schema }) {
    await schema
      .createTable("guest_links")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("hash", "text", (column) => column.notNull().unique())
      .addColumn("item_id", "bigint", (column) => column.notNull())
      .addColumn("code", "text")
      .addColumn("creator_id", "text", (column) => column.references("users.id").onDelete("set null"))
      .addColumn("label", "text")
      .addColumn("password_hash", "text")
      .addColumn("emails", "text")
      .addColumn("embed_origins", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint")
      .addColumn("uses", "bigint", (column) => column.notNull().defaultTo(0))
      .addColumn("last_used_at", "bigint")
      .execute();
    await schema.createIndex("guest_links_of_item").on("guest_links").columns(["item_id", "created_at"]).execute();
    await schema.createIndex("guest_links_of_creator").on("guest_links").column("creator_id").execute();
    await schema
      .createTable("guest_codes")
      .addColumn("link_id", "text", (column) => column.notNull().references("guest_links.id").onDelete("cascade"))
      .addColumn("email_hash", "text", (column) => column.notNull())
      .addColumn("code_hash", "text", (column) => column.notNull())
      .addColumn("tries", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("guest_codes_key", ["link_id", "email_hash"])
      .execute();
    await schema.createIndex("guest_codes_by_expiry").on("guest_codes").column("expires_at").execute();
  },
};
