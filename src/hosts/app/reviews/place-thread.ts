import type { Anchor } from "../../../html/anchors/anchor.ts";
import { createFairPool } from "../../../threads/fair-pool.ts";
import type { Threads } from "../../../threads/threads.ts";
import type { FoundPlace, PlaceCalls } from "./place-worker.ts";

/** Milliseconds for the anchors of one page, after which the thread counts as stuck. */
const DEADLINE = 10_000;
/** Milliseconds that a page waits for its turn. */
const PATIENCE = 5_000;
/** Milliseconds without a page after which the thread is stopped to free its memory. */
const IDLE_TIME = 5_000;

/** Finds anchors in a page for a user. Throws `Unavailable` if that takes too long. */
export type PlaceAnchors = (user: string, asked: { html: string; anchors: readonly Anchor[] }) => Promise<FoundPlace[]>;

/** Returns a search that runs in a thread, where users take turns. */
export function createPlaceThread(threads: Threads): PlaceAnchors {
  const pool = createFairPool<PlaceCalls>({
    threads: [
      threads.create<PlaceCalls>({
        name: "comment placer",
        script: new URL("./place-worker.ts", import.meta.url),
        deadline: DEADLINE,
      }),
    ],
    depth: 1,
    patience: PATIENCE,
    idleTime: IDLE_TIME,
    isWorthKeeping: () => false,
  });
  return (user, asked) => pool.run(user, (thread) => thread.call("place", asked));
}
