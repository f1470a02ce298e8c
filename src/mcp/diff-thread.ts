import type { Threads } from "../threads/threads.ts";
import type { DiffCalls, DiffRequest } from "./diff-worker.ts";
import type { UnifiedDiff } from "./unified-diff.ts";

/** Milliseconds for one comparison, including those before it in the thread. */
const DEADLINE = 30_000;
/** Milliseconds without a comparison after which the thread is stopped to free its memory. */
const IDLE_TIME = 5_000;

/** Compares two texts. Resolves to undefined if they are too different to compare in reasonable time. */
export type DiffTexts = (request: DiffRequest) => Promise<UnifiedDiff | undefined>;

/** Returns a comparison that runs in a separate thread, so that other requests do not wait for it. */
export function createDiffThread(threads: Threads): DiffTexts {
  const script = new URL("./diff-worker.ts", import.meta.url);
  const thread = threads.create<DiffCalls>({ name: "version comparer", script, deadline: DEADLINE });
  let resting: ReturnType<typeof setTimeout> | undefined;

  return async (request) => {
    clearTimeout(resting);
    try {
      return await thread.call("diff", request);
    } finally {
      clearTimeout(resting);
      resting = setTimeout(thread.rest, IDLE_TIME);
      resting.unref();
    }
  };
}
