import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

const COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ["versions", "note"],
  ["versions", "warnings"],
  ["versions", "storage"],
  ["items", "storage"],
  ["items", "display_title"],
  ["workspaces", "default_visibility"],
];

/**
 * Adds notes and warnings of versions, storage as a setting of reports and versions, display titles of reports, and the
 * default visibility of workspaces.
 */
export const reportDetailsMigration: Migration = {
  number: 18,
  name: "report details",
  async up(database) {
    for (const [table, column] of COLUMNS) {
      await sql`alter table ${sql.table(table)} add column ${sql.ref(column)} text`.execute(database);
    }
  },
};
