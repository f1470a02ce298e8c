import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/**
 * Adds the organization that a report of a person is shared with, the people it is shared with, and their requests for
 * access.
 */
export const sharingMigration: Migration = {
  number: 22,
  name: "sharing",
  async up(database) {
    const { schema } = database;
    await sql`alter table items add column organization_id text`.execute(database);
    await sql`alter table items add column shared_at bigint`.execute(database);
    await sql`alter table versions add column organization_id text`.execute(database);
    await sql`create index items_shared_by_update on items (workspace_id, updated_at, id)
      where visibility = 'org'`.execute(database);
    await sql`create index items_shared_by_title on items (workspace_id, sort_title, id)
      where visibility = 'org'`.execute(database);
    await schema
      .createTable("shared_people")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("item_id", "bigint", (column) => column.notNull().references("items.id").onDelete("cascade"))
      .addColumn("code", "text", (column) => column.references("versions.code").onDelete("cascade"))
      .addColumn("email", "text", (column) => column.notNull())
      .addColumn("sharer_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create unique index people_of_report on shared_people (item_id, email) where code is null`.execute(
      database,
    );
    await sql`create unique index people_of_version on shared_people (code, email) where code is not null`.execute(
      database,
    );
    await schema.createIndex("shared_with_address").on("shared_people").columns(["email", "item_id"]).execute();
    await schema.createIndex("shared_by_user").on("shared_people").column("sharer_id").execute();
    await schema.createIndex("people_of_item").on("shared_people").column("item_id").execute();
    await schema
      .createTable("access_requests")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("item_id", "bigint", (column) => column.notNull().references("items.id").onDelete("cascade"))
      .addColumn("code", "text", (column) => column.references("versions.code").onDelete("cascade"))
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("message", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("declined_at", "bigint")
      .addUniqueConstraint("request_of_user", ["item_id", "user_id"])
      .execute();
    await schema.createIndex("requests_of_user").on("access_requests").column("user_id").execute();
    await sql`create index requests_for_version on access_requests (code) where code is not null`.execute(database);
  },
};
