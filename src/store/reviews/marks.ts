import { sql } from "kysely";
import type { ReadScope, ReviewCounts } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";
import { visibleIn } from "./threads.ts";

export async function countThreads(database: Database, scope: ReadScope): Promise<ReviewCounts> {
  const count = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce(sum(case when ${condition} then 1 else 0 end), 0)`;
  const read = await database
    .selectFrom("review_reads")
    .select("seq")
    .where("item_id", "=", scope.itemId)
    .where("user_id", "=", scope.userId)
    .executeTakeFirst();
  const row = await database
    .selectFrom("threads")
    .leftJoin("thread_reads", (join) =>
      join.onRef("thread_reads.thread_id", "=", "threads.id").on("thread_reads.user_id", "=", scope.userId),
    )
    .select([
      count(sql`threads.resolved_at is null and threads.addressed_in is null`).as("open"),
      count(sql`threads.resolved_at is null and threads.addressed_in is not null`).as("addressed"),
      count(sql`threads.resolved_at is not null`).as("resolved"),
      count(
        sql`threads.comment_seq > ${sql.lit(read?.seq ?? 0)} and threads.comment_seq > coalesce(thread_reads.seq, 0)`,
      ).as("unread"),
    ])
    .where(visibleIn(scope))
    .executeTakeFirstOrThrow();
  return {
    open: Number(row.open),
    addressed: Number(row.addressed),
    resolved: Number(row.resolved),
    unread: Number(row.unread),
  };
}

export async function markRead(
  database: Database,
  { scope, threadIds }: { scope: ReadScope; threadIds: readonly string[] | undefined },
): Promise<void> {
  const { itemId, userId } = scope;
  // Who sees only some threads must not have read others that they may see later.
  if (threadIds === undefined && scope.onlyVersionNo === null && scope.hiddenVersionNos.length === 0) {
    const state = await database
      .selectFrom("review_items")
      .select("seq")
      .where("item_id", "=", itemId)
      .executeTakeFirst();
    const seq = state?.seq ?? 0;
    await database
      .insertInto("review_reads")
      .values({ item_id: itemId, user_id: userId, seq })
      .onConflict((known) => known.columns(["item_id", "user_id"]).doUpdateSet({ seq }))
      .execute();
    return;
  }
  if (threadIds !== undefined && threadIds.length === 0) return;
  await database
    .insertInto("thread_reads")
    .columns(["thread_id", "user_id", "seq"])
    .expression((query) =>
      query
        .selectFrom("threads")
        .select((select) => ["threads.id as thread_id", select.val(userId).as("user_id"), "threads.comment_seq as seq"])
        .where(visibleIn(scope))
        .$if(threadIds !== undefined, (some) => some.where("threads.id", "in", [...(threadIds ?? [])])),
    )
    .onConflict((known) =>
      known.columns(["thread_id", "user_id"]).doUpdateSet(({ ref }) => ({ seq: ref("excluded.seq") })),
    )
    .execute();
}
