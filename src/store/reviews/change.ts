import type { Authorized } from "../../domain/model/access.ts";
import type { Instant, Item } from "../../domain/model/entities.ts";
import type { Notice, ReadScope } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";
import { addNotices, encodeIds, takeNumber } from "./add.ts";

/** Notes that a thread changed. */
async function touch(database: Database, scope: ReadScope, threadId: string, now: Instant): Promise<void> {
  const { seq } = await takeNumber(database, { itemId: scope.itemId, comments: 0, now });
  await database.updateTable("threads").set({ changed_seq: seq, updated_at: now }).where("id", "=", threadId).execute();
}

export async function editComment(
  database: Database,
  change: {
    scope: ReadScope;
    id: string;
    threadId: string;
    text: string;
    mentionedIds: readonly string[];
    notices: readonly Notice[];
    expected: Instant | null | undefined;
    now: Instant;
  },
): Promise<boolean> {
  const { scope, id, threadId, text, mentionedIds, notices, expected, now } = change;
  const edited = await database
    .updateTable("comments")
    .set({ text, mentions: encodeIds(mentionedIds), edited_at: now })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .$if(expected === null, (query) => query.where("edited_at", "is", null))
    .$if(typeof expected === "number", (query) => query.where("edited_at", "=", expected ?? 0))
    .executeTakeFirst();
  if (edited.numUpdatedRows === 0n) return false;
  await addNotices(database, { commentId: id, notices, now });
  await touch(database, scope, threadId, now);
  return true;
}

export async function deleteComment(
  database: Database,
  {
    scope,
    id,
    threadId,
    now,
  }: { scope: ReadScope; item: Item; id: string; threadId: string; isOwn: boolean; now: Instant },
): Promise<boolean> {
  // Takes the lock first, so that two people who delete the last two comments delete the thread.
  await touch(database, scope, threadId, now);
  await database
    .updateTable("comments")
    .set({ text: "", mentions: null, deleted_at: now })
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .execute();
  await database.deleteFrom("inbox").where("comment_id", "=", id).execute();
  const left = await database
    .selectFrom("comments")
    .select("id")
    .where("thread_id", "=", threadId)
    .where("deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  if (left !== undefined) return false;
  await database.deleteFrom("threads").where("id", "=", threadId).execute();
  return true;
}

/** Opening a thread also forgets the version that addressed it. */
export async function setResolved(
  database: Database,
  { scope, threadId, isResolved, now }: { scope: ReadScope; threadId: string; isResolved: boolean; now: Instant },
): Promise<boolean> {
  const change = isResolved
    ? { resolved_at: now, resolver_id: scope.userId }
    : { resolved_at: null, resolver_id: null, addressed_in: null };
  const changed = await database
    .updateTable("threads")
    .set(change)
    .where("id", "=", threadId)
    .$if(isResolved, (query) => query.where("resolved_at", "is", null))
    .$if(!isResolved, (query) =>
      query.where(({ or, eb }) => or([eb("resolved_at", "is not", null), eb("addressed_in", "is not", null)])),
    )
    .executeTakeFirst();
  if (changed.numUpdatedRows === 0n) return false;
  await touch(database, scope, threadId, now);
  return true;
}

export async function setCommentsOff(
  database: Database,
  { item, isOff, now }: { item: Authorized<"control", Item>; isOff: boolean; now: Instant },
): Promise<void> {
  await takeNumber(database, { itemId: item.id, comments: 0, now });
  await database
    .updateTable("review_items")
    .set({ is_off: isOff ? 1 : 0 })
    .where("item_id", "=", item.id)
    .execute();
}

/** Threads of a later version keep its number, in case two are published at once. */
export async function setAddressed(
  database: Database,
  { scope, ids, versionNo, now }: { scope: ReadScope; ids: readonly string[]; versionNo: number; now: Instant },
): Promise<void> {
  const { seq } = await takeNumber(database, { itemId: scope.itemId, comments: 0, now });
  await database
    .updateTable("threads")
    .set({ addressed_in: versionNo, changed_seq: seq, updated_at: now })
    .where("item_id", "=", scope.itemId)
    .where("id", "in", [...ids])
    .where(({ or, eb }) => or([eb("addressed_in", "is", null), eb("addressed_in", "<", versionNo)]))
    .execute();
}
