import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/**
 * Creates the tables of background tasks and of the scrub, and the column that says which version of Vitrine ran a
 * migration.
 */
export const tasksMigration: Migration = {
  number: 12,
  name: "tasks",
  async up(database) {
    const { schema } = database;
    await sql`alter table migrations add column version text`.execute(database);
    await schema
      .createTable("tasks")
      .addColumn("name", "text", (column) => column.primaryKey())
      .addColumn("holder", "text")
      .addColumn("expires_at", "bigint")
      .addColumn("last_started_at", "bigint", (column) => column.notNull())
      .addColumn("last_success_started_at", "bigint")
      .addColumn("last_success_at", "bigint")
      .addColumn("last_failure_at", "bigint")
      .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
      .addColumn("failure", "text")
      .addColumn("detail", "text")
      .execute();
    await schema
      .createTable("scrub")
      .addColumn("number", "integer", (column) => column.primaryKey().check(sql`number = 1`))
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("after", "text", (column) => column.notNull())
      .addColumn("objects", "bigint", (column) => column.notNull())
      .addColumn("bytes", "bigint", (column) => column.notNull())
      .addColumn("last_finished_at", "bigint")
      .execute();
    await schema
      .createTable("damaged_objects")
      .addColumn("key", "text", (column) => column.primaryKey())
      .addColumn("code", "text", (column) => column.notNull())
      .addColumn("problem", "text", (column) => column.notNull())
      .addColumn("found_at", "bigint", (column) => column.notNull())
      .addColumn("checked_at", "bigint", (column) => column.notNull())
      .execute();
  },
};
