import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Lets guest links show a preview where they are posted. */
export const guestPreviewsMigration: Migration = {
  number: 30,
  name: "guest-previews",
  async up(database) {
    await sql`alter table guest_links add column has_preview integer not null default 0`.execute(database);
  },
};
