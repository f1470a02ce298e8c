import type { Instant } from "../../domain/model/entities.ts";
import { forbidden, invalid } from "../../domain/model/failure.ts";
import type { Anchor } from "../../domain/reviews/anchor.ts";
import { COMMENTS_PER_REPORT, COMMENTS_PER_THREAD } from "../../domain/reviews/limits.ts";
import type { NewComment, Notice, ReadScope } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";

interface Change {
  itemId: number;
  /** The number of new comments. */
  comments: number;
  now: Instant;
}

/**
 * Takes the next number of a report's changes. The row stays locked until the end of the transaction, so that anyone who has
 * seen a number has seen all smaller ones.
 */
export async function takeNumber(database: Database, { itemId, comments, now }: Change) {
  return database
    .insertInto("review_items")
    .values({ item_id: itemId, seq: 1, comments, is_off: 0, updated_at: now })
    .onConflict((known) =>
      known.column("item_id").doUpdateSet(({ eb }) => ({
        seq: eb("review_items.seq", "+", 1),
        comments: eb("review_items.comments", "+", comments),
        updated_at: now,
      })),
    )
    .returning(["seq", "comments", "is_off as isOff"])
    .executeTakeFirstOrThrow();
}

/** Takes the number of a new comment. Throws `Forbidden` or `Invalid`. */
async function takeCommentNumber(database: Database, itemId: number, now: Instant): Promise<number> {
  const { seq, comments, isOff } = await takeNumber(database, { itemId, comments: 1, now });
  if (isOff === 1) throw forbidden("Comments are turned off for this report. Ask the person who published it.");
  if (comments > COMMENTS_PER_REPORT) {
    throw invalid(`The report has ${COMMENTS_PER_REPORT} comments, which is the limit. Delete it or publish another.`);
  }
  return seq;
}

export async function addThread(
  database: Database,
  change: {
    scope: ReadScope;
    id: string;
    anchor: Anchor;
    versionNo: number;
    versionCode: string;
    isOnlyVersion: boolean;
    comment: NewComment;
    now: Instant;
  },
): Promise<void> {
  const { scope, id, now } = change;
  const seq = await takeCommentNumber(database, scope.itemId, now);
  await database
    .insertInto("threads")
    .values({
      id,
      item_id: scope.itemId,
      seq,
      changed_seq: seq,
      comment_seq: seq,
      version_no: change.versionNo,
      version_code: change.versionCode,
      only_version: change.isOnlyVersion ? 1 : 0,
      anchor: JSON.stringify(change.anchor),
      resolver_id: null,
      resolved_at: null,
      addressed_in: null,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await addComment(database, { threadId: id, comment: change.comment, seq, now });
}

export async function addReply(
  database: Database,
  { scope, threadId, comment, now }: { scope: ReadScope; threadId: string; comment: NewComment; now: Instant },
): Promise<boolean> {
  const seq = await takeCommentNumber(database, scope.itemId, now);
  const changed = await database
    .updateTable("threads")
    .set({ changed_seq: seq, comment_seq: seq, updated_at: now })
    .where("id", "=", threadId)
    .where("item_id", "=", scope.itemId)
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  const { count } = await database
    .selectFrom("comments")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("thread_id", "=", threadId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= COMMENTS_PER_THREAD) {
    throw invalid(`The thread has ${COMMENTS_PER_THREAD} comments, which is the limit. Start another thread.`);
  }
  await addComment(database, { threadId, comment, seq, now });
  return true;
}

async function addComment(
  database: Database,
  { threadId, comment, seq, now }: { threadId: string; comment: NewComment; seq: number; now: Instant },
): Promise<void> {
  const { id, authorId, guest, text, mentionedIds, notices } = comment;
  await database
    .insertInto("comments")
    .values({
      id,
      thread_id: threadId,
      seq,
      author_id: authorId,
      guest_name: guest?.name ?? null,
      guest_link_id: guest?.linkId ?? null,
      text,
      mentions: encodeIds(mentionedIds),
      created_at: now,
      edited_at: null,
      deleted_at: null,
    })
    .execute();
  await addNotices(database, { commentId: id, notices, now });
  if (authorId === null) return;
  await database
    .insertInto("thread_reads")
    .values({ thread_id: threadId, user_id: authorId, seq })
    .onConflict((known) => known.columns(["thread_id", "user_id"]).doUpdateSet({ seq }))
    .execute();
}

/** Adds entries to inboxes. Who has one about the comment already keeps it. */
export async function addNotices(
  database: Database,
  { commentId, notices, now }: { commentId: string; notices: readonly Notice[]; now: Instant },
): Promise<void> {
  if (notices.length === 0) return;
  await database
    .insertInto("inbox")
    .values(
      notices.map(({ id, userId, kind }) => ({
        ...{ id, user_id: userId, comment_id: commentId, kind, created_at: now, read_at: null, mailed_at: null },
      })),
    )
    .onConflict((known) => known.columns(["user_id", "comment_id"]).doNothing())
    .execute();
}

export const encodeIds = (ids: readonly string[]): string | null => (ids.length === 0 ? null : JSON.stringify(ids));
