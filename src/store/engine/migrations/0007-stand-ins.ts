import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Adds the list of a version's pages that also exist with a stand-in for browser storage. */
export const standInsMigration: Migration = {
  number: 7,
  name: "stand-ins",
  async up(database) {
    await sql`alter table versions add column stand_ins text`.execute(database);
  },
};
