import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the tables of the installation's id and of the sweep's state between runs. */
export const installationMigration: Migration = {
  number: 8,
  name: "installation",
  async up({ schema }) {
    await schema
      .createTable("installation")
      .addColumn("number", "integer", (column) => column.primaryKey().check(sql`number = 1`))
      .addColumn("id", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("orphans")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("first_seen_at", "bigint", (column) => column.notNull())
      .addColumn("last_seen_at", "bigint", (column) => column.notNull())
      .addColumn("held_at", "bigint")
      .addColumn("confirmed_at", "bigint")
      .execute();
    await schema.createIndex("orphans_by_age").on("orphans").column("first_seen_at").execute();
    await schema
      .createTable("sweep_hold")
      .addColumn("number", "integer", (column) => column.primaryKey().check(sql`number = 1`))
      .addColumn("orphans", "bigint", (column) => column.notNull())
      .addColumn("objects", "bigint", (column) => column.notNull())
      .addColumn("held_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
