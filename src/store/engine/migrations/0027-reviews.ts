import type { Migration } from "../migrate.ts";

/**
 * Creates threads of comments on reports, what each person has read of them, and inboxes. Threads don't reference `items`:
 * while a report is in the trash its row is gone, and restoring it brings its threads back.
 */
export const reviewsMigration: Migration = {
  number: 27,
  name: "reviews",
  async up({ schema }) {
    await schema
      .createTable("review_items")
      .addColumn("item_id", "bigint", (column) => column.primaryKey())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("comments", "integer", (column) => column.notNull())
      .addColumn("is_off", "integer", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await schema
      .createTable("threads")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("item_id", "bigint", (column) => column.notNull())
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("changed_seq", "bigint", (column) => column.notNull())
      .addColumn("comment_seq", "bigint", (column) => column.notNull())
      .addColumn("version_no", "integer", (column) => column.notNull())
      .addColumn("version_code", "text", (column) => column.notNull())
      .addColumn("only_version", "integer", (column) => column.notNull())
      .addColumn("anchor", "text", (column) => column.notNull())
      .addColumn("resolver_id", "text", (column) => column.references("users.id").onDelete("set null"))
      .addColumn("resolved_at", "bigint")
      .addColumn("addressed_in", "integer")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("updated_at", "bigint", (column) => column.notNull())
      .execute();
    await schema.createIndex("threads_of_item").on("threads").columns(["item_id", "seq"]).execute();
    await schema.createIndex("threads_by_change").on("threads").columns(["item_id", "changed_seq"]).execute();
    await schema.createIndex("threads_by_resolver").on("threads").column("resolver_id").execute();
    await schema
      .createTable("comments")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("thread_id", "text", (column) => column.notNull().references("threads.id").onDelete("cascade"))
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addColumn("author_id", "text", (column) => column.references("users.id").onDelete("set null"))
      .addColumn("guest_name", "text")
      .addColumn("text", "text", (column) => column.notNull())
      // JSON: IDs of users.
      .addColumn("mentions", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("edited_at", "bigint")
      .addColumn("deleted_at", "bigint")
      .execute();
    await schema.createIndex("comments_of_thread").on("comments").columns(["thread_id", "seq"]).execute();
    await schema.createIndex("comments_by_author").on("comments").columns(["author_id", "created_at"]).execute();
    await schema
      .createTable("thread_reads")
      .addColumn("thread_id", "text", (column) => column.notNull().references("threads.id").onDelete("cascade"))
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("thread_read_key", ["thread_id", "user_id"])
      .execute();
    await schema.createIndex("thread_reads_by_user").on("thread_reads").column("user_id").execute();
    await schema
      .createTable("review_reads")
      .addColumn("item_id", "bigint", (column) => column.notNull())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("seq", "bigint", (column) => column.notNull())
      .addPrimaryKeyConstraint("review_read_key", ["item_id", "user_id"])
      .execute();
    await schema.createIndex("review_reads_by_user").on("review_reads").column("user_id").execute();
    await schema
      .createTable("inbox")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
      .addColumn("comment_id", "text", (column) => column.notNull().references("comments.id").onDelete("cascade"))
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("read_at", "bigint")
      .addColumn("mailed_at", "bigint")
      .addUniqueConstraint("inbox_of_comment", ["user_id", "comment_id"])
      .execute();
    await schema.createIndex("inbox_by_time").on("inbox").columns(["user_id", "created_at", "id"]).execute();
    await schema.createIndex("inbox_by_comment").on("inbox").column("comment_id").execute();
    await schema
      .createTable("notification_settings")
      .addColumn("user_id", "text", (column) => column.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("mail", "integer", (column) => column.notNull())
      .execute();
  },
};
