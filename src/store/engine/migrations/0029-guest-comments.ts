import { sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** Lets guest links take comments, and keeps which link a guest's comment came through. */
export const guestCommentsMigration: Migration = {
  number: 29,
  name: "guest-comments",
  async up(database) {
    await sql`alter table guest_links add column takes_comments integer not null default 0`.execute(database);
    await sql`alter table comments add column guest_link_id text`.execute(database);
    await database.schema
      .createIndex("comments_by_guest_link")
      .on("comments")
      .columns(["guest_link_id", "created_at"])
      .execute();
  },
};
