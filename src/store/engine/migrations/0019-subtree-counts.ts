import { sql } from "kysely";
import type { Migration } from "../migrate.ts";
import { postgresTriggers } from "./0019-postgres-triggers.ts";
import { sqliteTriggers } from "./0019-sqlite-triggers.ts";
import { fillSubtrees } from "./0019-subtrees.ts";

/** Adds the numbers of items that have a tag or one below it, for each kind of reader, and the triggers that keep them. */
export const subtreeCountsMigration: Migration = {
  number: 19,
  name: "subtree-counts",
  async up(database, engine) {
    if (engine.name === "postgres") {
      await sql`lock table items, item_tags, tags in share row exclusive mode`.execute(database);
    } else {
      await database.schema
        .createTable("subtree_count_pauses")
        .addColumn("number", "integer", (column) => column.primaryKey())
        .execute();
    }
    await sql.raw(fillSubtrees).execute(database);
    const triggers = engine.name === "sqlite" ? sqliteTriggers : postgresTriggers;
    for (const statement of triggers) await statement.execute(database);
  },
};
