import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/**
 * Allows titles of up to 1,000 characters for drawers and folders, because legacy labels have them. PostgreSQL rejects
 * index rows of more than 2,704 bytes, so only the first 120 characters are indexed.
 */
export const longFolderLabelsMigration: Migration = {
  number: 10,
  name: "long-folder-labels",
  async up(database, engine) {
    for (const table of ["drawers", "folders"]) {
      const index = sql.ref(`${table}_of_workspace`);
      await sql`drop index ${index}`.execute(database);
      await sql`create index ${index} on ${sql.table(table)} (workspace_id, substr(title, 1, 120))`.execute(database);
    }
    // SQLite has no such limit and reads all titles of a workspace from this index.
    if (engine.name === "postgres") await sql`drop index folders_by_title`.execute(database);
  },
};
