import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Adds the time at which the user of a session last authenticated. */
export const confirmedSessionsMigration: Migration = {
  number: 11,
  name: "confirmed-sessions",
  async up(database) {
    await sql`alter table sessions add column authenticated_at bigint not null default 0`.execute(database);
    await sql`update sessions set authenticated_at = created_at`.execute(database);
  },
};
