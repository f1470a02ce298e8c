import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Adds the operator role, and the times at which users were disabled and deleted. */
export const operatorsMigration: Migration = {
  number: 15,
  name: "operators",
  async up(database) {
    await sql`alter table users add column is_operator integer not null default 0`.execute(database);
    await sql`alter table users add column disabled_at bigint`.execute(database);
    await sql`alter table users add column deleted_at bigint`.execute(database);
  },
};
