import { createFairQueue } from "./fair-queue.ts";
import type { Handlers } from "./serve-calls.ts";
import type { Thread } from "./thread.ts";

/** Tasks of one user that a thread gets at once while no other user waits, so that it need not wait for the next. */
const DEPTH = 3;

/** Handlers with one that answers at once, which shows that the thread has loaded. */
export type Warmable = Handlers & { warmUp(input: undefined): undefined };

interface FairPoolOptions<Calls extends Warmable> {
  /** The first task starts the first thread; the others start when more tasks wait. */
  threads: readonly Thread<Calls>[];
  /** The maximum number of threads that run the tasks of one user; 1 by default. */
  share?: number;
  /** The maximum number of tasks that a thread gets at once. */
  depth?: number;
  /** Milliseconds that a task may wait for its turn. */
  patience: number;
  /** Milliseconds after which idle threads stop, unless they are worth keeping. */
  idleTime: number;
  /** Returns whether to keep the first thread. */
  isWorthKeeping(): boolean;
  /** Called after the first thread was stopped. If given, a new thread replaces it at once. */
  replaced?(): void;
}

/** Runs tasks in a few threads. Users take turns, so that a user waits for at most a few tasks of others. */
export function createFairPool<Calls extends Warmable>(options: FairPoolOptions<Calls>) {
  const { threads, share = 1, depth = DEPTH, patience, idleTime } = options;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const queue = createFairQueue<Thread<Calls>>({
    places: threads,
    share,
    depth,
    patience,
    isReady: (thread) => thread.isRunning(),
    prepare: (thread) => thread.call("warmUp", undefined as never),
    emptied: restLater,
  });

  function restLater(): void {
    clearTimeout(idle);
    idle = setTimeout(rest, idleTime);
    idle.unref();
  }

  function rest(): void {
    if (!queue.isEmpty()) return;
    const [first, ...others] = threads;
    for (const thread of others) thread.rest();
    if (first === undefined || options.isWorthKeeping()) return;
    first.rest();
    if (options.replaced === undefined) return;
    options.replaced();
    queue.prepareFirst();
  }

  function stop(): void {
    clearTimeout(idle);
    for (const thread of threads) thread.stop();
  }

  /** Resolves when the threads have ended what they were doing. */
  async function close(): Promise<void> {
    clearTimeout(idle);
    await Promise.all(threads.map((thread) => thread.close()));
  }

  return { run: queue.run, waiting: queue.waiting, isIdle: queue.isEmpty, stop, close };
}
