import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Marks threads of deleted versions that fewer people could read than their report. */
export const withheldThreadsMigration: Migration = {
  number: 28,
  name: "withheld-threads",
  async up(database) {
    await sql`alter table threads add column is_withheld integer not null default 0`.execute(database);
    await database.schema.createIndex("threads_by_version").on("threads").column("version_code").execute();
  },
};
