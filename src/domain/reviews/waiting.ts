import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { Failure } from "../model/failure.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ReadScope, ReviewCounts, ReviewStore, Thread } from "./ports.ts";
import type { Reviewed, Scopes } from "./scopes.ts";
import { parseSince } from "./threads.ts";

/** Threads of one answer. */
const CHANGED = 200;
/** Requests of one person that may wait at once. */
const WAITING_PER_PERSON = 30;

interface Dependencies {
  store: { reviews: Pick<ReviewStore, "findReviewState" | "listChanged" | "countThreads"> };
  events: Pick<Events, "subscribe">;
}

/** The number of the last change that is known, and how long to wait for the next. */
export interface WaitRequest {
  since: string;
  seconds: number;
}

export interface ThreadChanges {
  threads: Thread[];
  seq: number;
  counts: ReviewCounts;
}

/** Creates the service with which readers wait for changes of a report's threads. */
export function createWaiting({ store: { reviews }, events }: Dependencies, scopes: Scopes) {
  const waiting = new Map<string, number>();

  /**
   * Returns the changes after `since` as soon as there are any, or after some seconds. What the caller may see is decided when
   * the answer is made. Throws `NotFound`, also if they lose access meanwhile, `Invalid` or `TooManyRequests`.
   */
  const wait = (caller: Caller, reference: Reference, request: WaitRequest): Promise<ThreadChanges> =>
    waitIn(() => scopes.find(caller, reference), caller.userId, request);

  /** As `wait`, for whom `find` looks up what they may see. `waiter` is whose requests are limited. */
  async function waitIn(
    find: () => Promise<Pick<Reviewed, "scope">>,
    waiter: string,
    { since, seconds }: WaitRequest,
  ): Promise<ThreadChanges> {
    const number = parseSince(since) ?? 0;
    let { scope } = await find();
    const listener = listen(scope.itemId);
    const hasNews = async () => (await reviews.findReviewState(scope.itemId)).seq > number;
    const untilNews = async () => {
      const isOver = listener.startTimer(seconds);
      // Also the news of changes that the caller already knows may arrive, late from another replica.
      for (;;) {
        await listener.news();
        const before = scope;
        ({ scope } = await find());
        if (isOver() || !isDeepStrictEqual(scope, before) || (await hasNews())) return;
      }
    };
    try {
      if (seconds > 0 && !(await hasNews())) await hold(waiter, untilNews);
    } finally {
      listener.close();
    }
    return changes(scope, number);
  }

  async function changes(scope: ReadScope, since: number): Promise<ThreadChanges> {
    // The state first: what changes meanwhile is then reported twice rather than never.
    const { seq } = await reviews.findReviewState(scope.itemId);
    const page = await reviews.listChanged({ scope, since, limit: CHANGED });
    // Then the counts: fewer threads than a client knows mean that some are gone, and not that one has just been added.
    const counts = await reviews.countThreads(scope);
    // If there are more, the next answer goes on after the last one of this.
    return { threads: page.threads, seq: page.next ?? seq, counts };
  }

  async function hold(waiter: string, work: () => Promise<void>): Promise<void> {
    const count = waiting.get(waiter) ?? 0;
    if (count >= WAITING_PER_PERSON) {
      throw new Failure("TooManyRequests", "Too many of your requests wait for comments. End some of them.", {
        retryAfter: 5,
      });
    }
    waiting.set(waiter, count + 1);
    try {
      await work();
    } finally {
      const left = (waiting.get(waiter) ?? 1) - 1;
      if (left === 0) waiting.delete(waiter);
      else waiting.set(waiter, left);
    }
  }

  /** Listens from now on, so that a change while the state is read isn't missed. */
  function listen(itemId: number) {
    let heard = Promise.withResolvers<void>();
    const unsubscribe = events.subscribe((event) => {
      const concerns = (event.kind === "commentsChanged" || event.kind === "itemChanged") && event.itemId === itemId;
      if (concerns || event.kind === "missed" || event.kind === "interrupted") heard.resolve();
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** Ends the waiting for news after some seconds. Returns whether they are over. */
    const startTimer = (seconds: number) => {
      let isOver = false;
      timer = setTimeout(() => {
        isOver = true;
        heard.resolve();
      }, seconds * 1000);
      timer.unref();
      return () => isOver;
    };
    /** Resolves once something may have changed since the last call. */
    const news = async () => {
      await heard.promise;
      heard = Promise.withResolvers();
    };
    const close = () => {
      unsubscribe();
      clearTimeout(timer);
    };
    return { startTimer, news, close };
  }

  return { wait, waitIn };
}

export type Waiting = ReturnType<typeof createWaiting>;
