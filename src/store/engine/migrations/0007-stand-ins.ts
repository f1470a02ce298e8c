import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Pages of a version that are kept with a stand-in for storage as well. */
export const standInsMigration: Migration = {
  number: 7,
  name: "stand-ins",
  async up(database) {
    await sql`alter table versions add column stand_ins text`.execute(database);
  },
};
