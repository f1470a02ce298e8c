import type { PageComparison } from "../../../html/changes/compare-pages.ts";
import { createFairPool } from "../../../threads/fair-pool.ts";
import type { Threads } from "../../../threads/threads.ts";
import type { CompareCalls, ComparedPages } from "./compare-worker.ts";

/** Milliseconds for one comparison, after which its thread counts as stuck. */
const DEADLINE = 30_000;
/** Milliseconds that a comparison waits for its turn. */
const PATIENCE = 20_000;
/** Milliseconds without a comparison after which the thread is stopped to free its memory. */
const IDLE_TIME = 5_000;

/** Compares two pages for a user. Throws `Unavailable` if that takes too long. */
export type ComparePages = (user: string, pages: ComparedPages) => Promise<PageComparison>;

/** Returns a comparison that runs in a thread, where users take turns. */
export function createCompareThread(threads: Threads): ComparePages {
  const pool = createFairPool<CompareCalls>({
    threads: [
      threads.create<CompareCalls>({
        name: "page comparer",
        script: new URL("./compare-worker.ts", import.meta.url),
        deadline: DEADLINE,
      }),
    ],
    depth: 1,
    patience: PATIENCE,
    idleTime: IDLE_TIME,
    isWorthKeeping: () => false,
  });
  return (user, pages) => pool.run(user, (thread) => thread.call("compare", pages));
}
