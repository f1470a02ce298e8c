import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";
import type { Anchor } from "../../domain/reviews/anchor.ts";
import { COMMENTS_PER_PAGE, COMMENTS_PER_THREAD } from "../../domain/reviews/limits.ts";
import type {
  Author,
  Comment,
  ReadScope,
  Thread,
  ThreadFilter,
  ThreadPage,
  ThreadQuery,
} from "../../domain/reviews/ports.ts";
import type { Database, Schema } from "../engine/schema.ts";
import { findCreators } from "../model/labels.ts";

const where = expressionBuilder<Schema, "threads">();

/** Returns the condition that a reader may see a thread. */
export function visibleIn({
  itemId,
  onlyVersionNo,
  hiddenVersionNos,
  mayManage,
  guestSince,
}: ReadScope): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [where("threads.item_id", "=", itemId)];
  if (onlyVersionNo !== null) conditions.push(where("threads.version_no", "=", onlyVersionNo));
  if (hiddenVersionNos.length > 0) conditions.push(where("threads.version_no", "not in", [...hiddenVersionNos]));
  if (guestSince !== null) conditions.push(isShownToGuests(guestSince));
  if (!mayManage) conditions.push(where("threads.is_withheld", "=", 0));
  return where.and(conditions);
}

/** Returns the condition that a thread's version is there, and current or as new as a guest may see. */
const isShownToGuests = (since: Instant): Expression<SqlBool> =>
  where.exists(
    expressionBuilder<Schema, "threads">()
      .selectFrom("versions")
      .innerJoin("items as reported", "reported.id", "versions.item_id")
      .select("versions.code")
      .whereRef("versions.code", "=", "threads.version_code")
      .where(({ or, eb }) =>
        or([eb("versions.created_at", ">=", since), eb("versions.code", "=", eb.ref("reported.current_code"))]),
      ),
  );

function matching(filter: ThreadFilter): Expression<SqlBool> {
  switch (filter) {
    case "unaddressed":
      return where.and([where("threads.resolved_at", "is", null), where("threads.addressed_in", "is", null)]);
    case "open":
      return where("threads.resolved_at", "is", null);
    case "resolved":
      return where("threads.resolved_at", "is not", null);
    case "all":
      return where.and([]);
  }
}

const selectThreads = (database: Database, scope: ReadScope) =>
  database
    .selectFrom("threads")
    .innerJoin("items", "items.id", "threads.item_id")
    .leftJoin("versions", "versions.code", "threads.version_code")
    .leftJoin("thread_reads", (join) =>
      join.onRef("thread_reads.thread_id", "=", "threads.id").on("thread_reads.user_id", "=", scope.userId),
    )
    .leftJoin("review_reads", (join) =>
      join.onRef("review_reads.item_id", "=", "threads.item_id").on("review_reads.user_id", "=", scope.userId),
    )
    .select([
      "threads.id",
      "threads.seq",
      "threads.changed_seq",
      "threads.version_no",
      "threads.only_version",
      "threads.anchor",
      "threads.resolver_id",
      "threads.resolved_at",
      "threads.addressed_in",
      "threads.created_at",
      "threads.updated_at",
      "items.name",
      "items.current_code",
      "versions.code as version_code",
      "thread_reads.seq as thread_read",
      "review_reads.seq as report_read",
    ])
    .where(visibleIn(scope));

type ThreadRow = Awaited<ReturnType<ReturnType<typeof selectThreads>["execute"]>>[number];

export async function listThreads(
  database: Database,
  { scope, filter, since, after, limit }: ThreadQuery,
): Promise<ThreadPage> {
  const rows = await selectThreads(database, scope)
    .where(matching(filter))
    .$if(since !== undefined, (query) => query.where("threads.changed_seq", ">", since ?? 0))
    .$if(after !== undefined, (query) => query.where("threads.seq", ">", after ?? 0))
    .orderBy("threads.seq")
    .limit(limit + 1)
    .execute();
  const page = await fitting(database, rows.slice(0, limit));
  return {
    threads: await toThreads(database, scope, page),
    next: page.length < rows.length ? page.at(-1)?.seq : undefined,
  };
}

export async function listChanged(
  database: Database,
  { scope, since, limit }: { scope: ReadScope; since: number; limit: number },
): Promise<ThreadPage> {
  const rows = await selectThreads(database, scope)
    .where("threads.changed_seq", ">", since)
    .orderBy("threads.changed_seq")
    .orderBy("threads.seq")
    .limit(limit + 1)
    .execute();
  // Threads that one version addresses share a number, and none of them may be left behind.
  const first = await fitting(database, rows.slice(0, limit));
  const last = first.length < rows.length ? first.at(-1)?.changed_seq : undefined;
  const ties =
    last === undefined ? [] : await selectThreads(database, scope).where("threads.changed_seq", "=", last).execute();
  const page = last === undefined ? rows : [...rows.filter(({ changed_seq }) => changed_seq < last), ...ties];
  return { threads: await toThreads(database, scope, page), next: last };
}

/** Returns as many of the first threads as have comments for one page together. */
async function fitting(database: Database, rows: readonly ThreadRow[]): Promise<readonly ThreadRow[]> {
  if (rows.length * COMMENTS_PER_THREAD <= COMMENTS_PER_PAGE) return rows;
  const counts = await database
    .selectFrom("comments")
    .select(({ fn }) => ["thread_id", fn.countAll<number>().as("count")])
    .where(
      "thread_id",
      "in",
      rows.map(({ id }) => id),
    )
    .groupBy("thread_id")
    .execute();
  const countOf = new Map(counts.map(({ thread_id, count }) => [thread_id, Number(count)]));
  let total = 0;
  const end = rows.findIndex(({ id }) => {
    total += countOf.get(id) ?? 0;
    return total > COMMENTS_PER_PAGE;
  });
  return end < 0 ? rows : rows.slice(0, end);
}

export async function findThread(
  database: Database,
  { scope, id }: { scope: ReadScope; id: string },
): Promise<Thread | undefined> {
  const rows = await selectThreads(database, scope).where("threads.id", "=", id).execute();
  const [thread] = await toThreads(database, scope, rows);
  return thread;
}

const selectComments = (database: Database, threadIds: string[]) =>
  database.selectFrom("comments").selectAll().where("thread_id", "in", threadIds).orderBy("seq");

type CommentRow = Awaited<ReturnType<ReturnType<typeof selectComments>["execute"]>>[number];
type People = Map<string, { slug: string; displayName: string | null }>;

const decodeIds = (text: string | null): string[] => (text === null ? [] : JSON.parse(text));

async function toThreads(database: Database, scope: ReadScope, rows: readonly ThreadRow[]): Promise<Thread[]> {
  if (rows.length === 0) return [];
  const comments = await selectComments(
    database,
    rows.map(({ id }) => id),
  ).execute();
  const ids = [
    ...rows.map(({ resolver_id }) => resolver_id),
    ...comments.flatMap(({ author_id, mentions }) => [author_id, ...decodeIds(mentions)]),
  ];
  const people: People = await findCreators(database, new Set(ids.filter((id) => id !== null)));
  const byThread = Map.groupBy(comments, ({ thread_id }) => thread_id);
  return rows.map((row) => toThread(row, { comments: byThread.get(row.id) ?? [], people, userId: scope.userId }));
}

interface Belongings {
  comments: readonly CommentRow[];
  people: People;
  userId: string;
}

function toThread(row: ThreadRow, { comments, people, userId }: Belongings): Thread {
  const read = Math.max(row.thread_read ?? 0, row.report_read ?? 0);
  const isUnread = ({ seq, author_id, deleted_at }: CommentRow) =>
    seq > read && deleted_at === null && author_id !== userId;
  // Only what the contract accepted is stored.
  const anchor: Anchor = JSON.parse(row.anchor);
  return {
    id: row.id,
    report: { name: row.name, code: row.current_code },
    anchor,
    versionNo: row.version_no,
    versionCode: row.version_code,
    isOnlyVersion: row.only_version === 1,
    resolver: people.get(row.resolver_id ?? "") ?? null,
    resolvedAt: row.resolved_at,
    addressedIn: row.addressed_in,
    comments: comments.map((comment) => toComment(comment, people, userId)),
    unread: comments.filter(isUnread).length,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const toComment = (row: CommentRow, people: People, userId: string): Comment => ({
  id: row.id,
  author: authorOf(row, people),
  text: row.text,
  mentions: decodeIds(row.mentions).flatMap((id) => people.get(id)?.slug ?? []),
  createdAt: row.created_at,
  editedAt: row.edited_at,
  isDeleted: row.deleted_at !== null,
  isOwn: row.author_id === userId,
});

export function authorOf(
  { author_id, guest_name }: Pick<CommentRow, "author_id" | "guest_name">,
  people: People,
): Author {
  const person = people.get(author_id ?? "");
  if (person !== undefined) return { slug: person.slug, name: person.displayName ?? person.slug, isGuest: false };
  return { slug: null, name: guest_name, isGuest: guest_name !== null };
}

export async function listKnown(
  database: Database,
  { scope, ids }: { scope: ReadScope; ids: readonly string[] },
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database
    .selectFrom("threads")
    .select("id")
    .where(visibleIn(scope))
    .where("id", "in", [...ids])
    .execute();
  return rows.map(({ id }) => id);
}
