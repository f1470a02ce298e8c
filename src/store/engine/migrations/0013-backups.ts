import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Creates the table of runs of `vitrine backup`. While a run is in progress, no object is deleted. */
export const backupsMigration: Migration = {
  number: 13,
  name: "backups",
  async up({ schema }) {
    await schema
      .createTable("backups")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("target", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull().check(sql`state in ('running', 'succeeded', 'failed')`))
      .addColumn("started_at", "bigint", (column) => column.notNull())
      .addColumn("expires_at", "bigint", (column) => column.notNull())
      .addColumn("finished_at", "bigint")
      .addColumn("backup", "text")
      .addColumn("problem", "text")
      .addColumn("objects", "bigint")
      .addColumn("bytes", "bigint")
      .addColumn("copied_bytes", "bigint")
      .execute();
    await schema.createIndex("backups_by_start").on("backups").column("started_at").execute();
  },
};
