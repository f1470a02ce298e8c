import type { Instant } from "../../domain/model/entities.ts";
import type { CommentKey, PersonInWorkspace, ReviewState, ThreadKey } from "../../domain/reviews/ports.ts";
import type { Database } from "../engine/schema.ts";
import { readableVersionFor } from "../model/readable.ts";

/** Lists the versions of a report that a person may not read. Normally the list is empty. */
export async function listHiddenVersions(
  database: Database,
  { itemId, person }: { itemId: number; person: PersonInWorkspace },
): Promise<number[]> {
  const rows = await database
    .selectFrom("versions")
    .innerJoin("items", "items.id", "versions.item_id")
    .innerJoin("workspaces", "workspaces.id", "items.workspace_id")
    .select("versions.version_no as versionNo")
    .where("versions.item_id", "=", itemId)
    .where(({ not }) => not(readableVersionFor(person)))
    .execute();
  return rows.map(({ versionNo }) => versionNo);
}

export async function findReviewState(database: Database, itemId: number): Promise<ReviewState> {
  const row = await database
    .selectFrom("review_items")
    .select(["seq", "is_off"])
    .where("item_id", "=", itemId)
    .executeTakeFirst();
  return { seq: row?.seq ?? 0, isOff: row?.is_off === 1 };
}

const selectKeys = (database: Database) =>
  database
    .selectFrom("threads")
    .innerJoin("items", "items.id", "threads.item_id")
    .select([
      "threads.id",
      "threads.item_id as itemId",
      "items.current_code as currentCode",
      "threads.version_no as versionNo",
      "threads.version_code as versionCode",
      "threads.is_withheld as isWithheld",
    ]);

/** Returns undefined also while the report is in the trash. */
export async function findThreadKey(database: Database, id: string): Promise<ThreadKey | undefined> {
  const row = await selectKeys(database).where("threads.id", "=", id).executeTakeFirst();
  return row && { ...row, isWithheld: row.isWithheld === 1 };
}

export async function findCommentKey(database: Database, id: string): Promise<CommentKey | undefined> {
  const row = await selectKeys(database)
    .innerJoin("comments", "comments.thread_id", "threads.id")
    .select(["comments.author_id as authorId", "comments.deleted_at as deletedAt"])
    .where("comments.id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { authorId, deletedAt, isWithheld, ...thread } = row;
  return { thread: { ...thread, isWithheld: isWithheld === 1 }, authorId, isDeleted: deletedAt !== null };
}

/** Returns when the version was published that was the newest at a time; 0 if there was none. */
export async function findNewestAt(
  database: Database,
  { itemId, at }: { itemId: number; at: Instant },
): Promise<Instant> {
  const row = await database
    .selectFrom("versions")
    .select(({ fn }) => fn.max("created_at").as("createdAt"))
    .where("item_id", "=", itemId)
    .where("created_at", "<=", at)
    .executeTakeFirst();
  return Number(row?.createdAt ?? 0);
}
