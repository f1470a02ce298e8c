import type { Instant } from "../../domain/model/entities.ts";
import type { InboxPlace, InboxRecord } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";
import { shownTitle } from "../model/rows.ts";
import { authorOf } from "./threads.ts";

/** Lists entries, newest first, also of reports that the user can no longer read. */
export async function listInbox(
  database: Database,
  request: { userId: string; isUnread: boolean; after: InboxPlace | undefined; limit: number },
): Promise<InboxRecord[]> {
  const { userId, isUnread, after, limit } = request;
  const rows = await database
    .selectFrom("inbox")
    .innerJoin("comments", "comments.id", "inbox.comment_id")
    .innerJoin("threads", "threads.id", "comments.thread_id")
    .innerJoin("items", "items.id", "threads.item_id")
    .innerJoin("versions", "versions.code", "items.current_code")
    .select([
      "inbox.id",
      "inbox.kind",
      "inbox.created_at",
      "inbox.read_at",
      "comments.id as comment_id",
      "comments.author_id",
      "comments.guest_name",
      "comments.text",
      "threads.id as thread_id",
      "threads.item_id",
      "threads.version_no",
      "threads.version_code",
      "threads.is_withheld",
      "items.name",
      "items.current_code",
      shownTitle.as("title"),
    ])
    .where("inbox.user_id", "=", userId)
    .$if(isUnread, (query) => query.where("inbox.read_at", "is", null))
    .$if(after !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb("inbox.created_at", "<", after?.createdAt ?? 0),
          and([eb("inbox.created_at", "=", after?.createdAt ?? 0), eb("inbox.id", ">", after?.id ?? "")]),
        ]),
      ),
    )
    .orderBy("inbox.created_at", "desc")
    .orderBy("inbox.id")
    .limit(limit)
    .execute();
  const people = await findCreators(database, new Set(rows.flatMap(({ author_id }) => author_id ?? [])));
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    threadId: row.thread_id,
    commentId: row.comment_id,
    itemId: row.item_id,
    currentCode: row.current_code,
    versionNo: row.version_no,
    versionCode: row.version_code,
    isWithheld: row.is_withheld === 1,
    name: row.name,
    title: row.title,
    author: authorOf(row, people),
    text: row.text,
    createdAt: row.created_at,
    isRead: row.read_at !== null,
  }));
}

export async function markInboxRead(
  database: Database,
  { userId, ids, now }: { userId: string; ids: readonly string[] | undefined; now: Instant },
): Promise<void> {
  if (ids?.length === 0) return;
  await database
    .updateTable("inbox")
    .set({ read_at: now })
    .where("user_id", "=", userId)
    .where("read_at", "is", null)
    .$if(ids !== undefined, (query) => query.where("id", "in", [...(ids ?? [])]))
    .execute();
}

/** Returns whether a user gets mail. They do unless they turned it off. */
export async function findMailSetting(database: Database, userId: string): Promise<boolean> {
  const row = await database
    .selectFrom("notification_settings")
    .select("mail")
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.mail !== 0;
}

export async function setMailSetting(
  database: Database,
  { userId, mail }: { userId: string; mail: boolean },
): Promise<void> {
  const setting = { mail: mail ? 1 : 0 };
  await database
    .insertInto("notification_settings")
    .values({ user_id: userId, ...setting })
    .onConflict((known) => known.column("user_id").doUpdateSet(setting))
    .execute();
}
