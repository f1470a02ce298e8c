import { authorizeControlItem } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Cursors } from "../model/cursors.ts";
import type { Caller, Instant } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { conflict, Failure, forbidden, invalid } from "../model/failure.ts";
import type { Clock, Random } from "../model/ports.ts";
import type { Reference } from "../reports/item-references.ts";
import type { Anchor } from "./anchor.ts";
import { COMMENTS_PER_MINUTE } from "./limits.ts";
import type { Notices } from "./notices.ts";
import type {
  CommentAuthor,
  Notice,
  ReadScope,
  ReviewCounts,
  ReviewState,
  ReviewStore,
  Thread,
  ThreadFilter,
} from "./ports.ts";
import { type Reviewed, type Scopes, threadNotFound } from "./scopes.ts";

const MINUTE = 60_000;

interface Dependencies {
  store: { reviews: ReviewStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  cursors: Cursors<number>;
}

export interface ThreadRequest {
  filter: ThreadFilter;
  since: string | undefined;
  limit: number;
  cursor: string | undefined;
}

export interface ThreadList {
  threads: Thread[];
  nextCursor: string | null;
  counts: ReviewCounts;
  /** The number of the last change that the list includes. */
  seq: number;
  isEnabled: boolean;
  mayManage: boolean;
}

export interface StartedThread {
  anchor: Anchor;
  text: string;
  isOnlyVersion: boolean;
}

/** Creates the service for threads of comments. */
export function createThreads(dependencies: Dependencies, scopes: Scopes, notices: Notices) {
  const { store, events, clock, random, cursors } = dependencies;
  const { reviews } = store;

  /** Returns one page of the threads that the caller may see. Throws `NotFound` or `Invalid`. */
  const list = async (caller: Caller, reference: Reference, request: ThreadRequest): Promise<ThreadList> =>
    listIn(await scopes.find(caller, reference), request);

  async function listIn({ scope }: Pick<Reviewed, "scope">, request: ThreadRequest): Promise<ThreadList> {
    const { filter, limit } = request;
    const since = parseSince(request.since);
    const question = JSON.stringify([scope.itemId, scope.userId, filter, since ?? null]);
    const after = request.cursor === undefined ? undefined : cursors.decode(question, request.cursor);
    // The state first: what changes meanwhile is then reported twice rather than never.
    const state = await reviews.findReviewState(scope.itemId);
    const [page, counts] = await Promise.all([
      reviews.listThreads({ scope, filter, since, after, limit }),
      reviews.countThreads(scope),
    ]);
    const nextCursor = page.next === undefined ? null : cursors.encode(question, page.next);
    return { threads: page.threads, nextCursor, counts, ...toAnswer(state), mayManage: scope.mayManage };
  }

  const toAnswer = ({ seq, isOff }: ReviewState) => ({ seq, isEnabled: !isOff });

  /** Throws `NotFound`. */
  async function find(caller: Caller, id: string): Promise<Thread> {
    const { scope } = await scopes.findByThread(caller, id);
    return read(scope, id);
  }

  async function read(scope: ReadScope, id: string): Promise<Thread> {
    const thread = await reviews.findThread({ scope, id });
    if (thread === undefined) throw threadNotFound(id);
    return thread;
  }

  /** Starts a thread. Throws `NotFound`, `Forbidden`, `Invalid` or `TooManyRequests`. */
  const create = async (caller: Caller, reference: Reference, started: StartedThread): Promise<Thread> =>
    createIn(await scopes.find(caller, reference), { userId: caller.userId }, started);

  async function createIn(
    reviewed: Reviewed,
    author: CommentAuthor,
    { anchor, text, isOnlyVersion }: StartedThread,
  ): Promise<Thread> {
    const { scope, shown } = reviewed;
    await requirePace(author);
    const id = newId(random, "thr");
    const comment = await newComment(reviewed, { author, text, threadId: undefined });
    const { versionNo, code: versionCode } = shown.version;
    await reviews.addThread({ scope, id, anchor, versionNo, versionCode, isOnlyVersion, comment, now: clock.now() });
    publish(scope, comment.notices);
    return read(scope, id);
  }

  /** Throws as `create` does. */
  const reply = async (caller: Caller, threadId: string, text: string): Promise<Thread> =>
    replyIn(await scopes.findByThread(caller, threadId), { userId: caller.userId }, { threadId, text });

  async function replyIn(
    reviewed: Reviewed,
    author: CommentAuthor,
    { threadId, text }: { threadId: string; text: string },
  ): Promise<Thread> {
    const { scope } = reviewed;
    await requirePace(author);
    const comment = await newComment(reviewed, { author, text, threadId });
    if (!(await reviews.addReply({ scope, threadId, comment, now: clock.now() }))) throw threadNotFound(threadId);
    publish(scope, comment.notices);
    return read(scope, threadId);
  }

  async function newComment(
    reviewed: Reviewed,
    { author, text, threadId }: { author: CommentAuthor; text: string; threadId: string | undefined },
  ) {
    const authorId = author.userId ?? null;
    const concerned = await notices.forComment(reviewed, { text, threadId, authorId });
    return { id: newId(random, "com"), authorId, guest: author.guest, text, ...concerned };
  }

  async function requirePace(author: CommentAuthor): Promise<void> {
    const count = await reviews.countRecent({ author, since: clock.now() - MINUTE });
    if (count < COMMENTS_PER_MINUTE) return;
    const message =
      author.guest === undefined
        ? `You can add ${COMMENTS_PER_MINUTE} comments per minute. Try again in a minute.`
        : "Too many comments were added through this link. Try again in a minute.";
    throw new Failure("TooManyRequests", message, { retryAfter: 60 });
  }

  /** Tells listeners of the report, and people whose inboxes have something new. */
  function publish({ itemId }: ReadScope, concerned: readonly Notice[] = []): void {
    events.publish({ kind: "commentsChanged", itemId });
    for (const { userId } of concerned) events.publish({ kind: "accountChanged", userId });
  }

  /** Returns the thread. Throws `NotFound`, `Forbidden` or `Conflict`. */
  async function edit(
    caller: Caller,
    { id, text, expected }: { id: string; text: string; expected: Instant | null | undefined },
  ): Promise<Thread> {
    const reviewed = await scopes.findByComment(caller, id);
    const { scope, key } = reviewed;
    if (key.authorId !== caller.userId) throw forbidden("You can only edit your own comments.");
    const { isOff } = await reviews.findReviewState(scope.itemId);
    if (isOff) throw forbidden("Comments are turned off for this report. Ask the person who published it.");
    const threadId = key.thread.id;
    const concerned = await notices.forComment(reviewed, { text, threadId, authorId: caller.userId });
    const mentions = concerned.notices.filter(({ kind }) => kind === "mention");
    const change = { scope, id, threadId, text, mentionedIds: concerned.mentionedIds, notices: mentions, expected };
    if (!(await reviews.editComment({ ...change, now: clock.now() }))) {
      throw conflict("The comment was edited or deleted meanwhile. Reload it and try again.");
    }
    publish(scope, mentions);
    return read(scope, threadId);
  }

  /** Returns whether the thread is gone with it. Throws `NotFound` or `Forbidden`. */
  async function remove(caller: Caller, id: string): Promise<boolean> {
    const { scope, key, current } = await scopes.findByComment(caller, id);
    const isOwn = key.authorId === caller.userId;
    if (!isOwn && !scope.mayManage) {
      throw forbidden(
        "You can only delete your own comments. Ask the person who published the report to delete others.",
      );
    }
    if (key.isDeleted) return false;
    const change = { scope, item: current.item, id, threadId: key.thread.id, isOwn, now: clock.now() };
    const isThreadGone = await reviews.deleteComment(change);
    publish(scope);
    return isThreadGone;
  }

  /** Resolves or reopens a thread. Throws `NotFound`. */
  async function setResolved(caller: Caller, threadId: string, isResolved: boolean): Promise<Thread> {
    const { scope } = await scopes.findByThread(caller, threadId);
    if (await reviews.setResolved({ scope, threadId, isResolved, now: clock.now() })) publish(scope);
    return read(scope, threadId);
  }

  /** Marks threads as read. Returns how many are left. Throws `NotFound`. */
  async function markRead(caller: Caller, reference: Reference, threadIds: readonly string[] | undefined) {
    const { scope } = await scopes.find(caller, reference);
    await reviews.markRead({ scope, threadIds });
    return (await reviews.countThreads(scope)).unread;
  }

  /** Throws `NotFound`. */
  async function count(caller: Caller, reference: Reference): Promise<ReviewCounts> {
    const { scope } = await scopes.find(caller, reference);
    return reviews.countThreads(scope);
  }

  /** Returns people whom the caller may mention. Throws `NotFound`. */
  async function candidates(caller: Caller, reference: Reference, q: string) {
    return notices.candidates(await scopes.find(caller, reference), { q, slugs: undefined, limit: 20 });
  }

  /** Turns comments on or off. Throws `NotFound` or `Forbidden`. */
  async function setEnabled(caller: Caller, reference: Reference, isEnabled: boolean): Promise<void> {
    const { current, scope } = await scopes.find(caller, reference);
    const item = authorizeControlItem(caller, current);
    if (item === undefined) throw reportNotFound(reference);
    await reviews.setCommentsOff({ item, isOff: !isEnabled, now: clock.now() });
    publish(scope);
  }

  return {
    list,
    listIn,
    find,
    read,
    create,
    createIn,
    replyIn,
    reply,
    edit,
    remove,
    setResolved,
    markRead,
    count,
    candidates,
    setEnabled,
  };
}

/** Returns the number of a change. Throws `Invalid`. */
export function parseSince(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw invalid("since isn't valid. Use the changes_cursor of an earlier response.");
  return Number(text);
}

export type ThreadService = ReturnType<typeof createThreads>;
