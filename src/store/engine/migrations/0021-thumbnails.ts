import type { Migration } from "../migrate.ts";

/** Creates the table of pictures of versions. The image is the last column, so that other columns are read without it. */
export const thumbnailsMigration: Migration = {
  number: 21,
  name: "thumbnails",
  async up({ schema }) {
    await schema
      .createTable("thumbnails")
      .addColumn("code", "text", (column) => column.primaryKey())
      .addColumn("digest", "text", (column) => column.notNull())
      .addColumn("media_type", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("image", "text", (column) => column.notNull())
      .execute();
  },
};
