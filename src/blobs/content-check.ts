import type { CheckContent } from "../domain/operations/ports.ts";
import { transferable } from "../threads/thread.ts";
import type { Threads } from "../threads/threads.ts";
import type { ContentCheckCalls } from "./content-check-worker.ts";

/** Milliseconds for one object. */
const DEADLINE = 60_000;
/** Milliseconds without a check after which the thread is stopped to free its memory. */
const IDLE_TIME = 10_000;

/** Returns the comparison of objects with what was published, which runs in a separate thread. */
export function createContentCheck(threads: Threads): CheckContent {
  const script = new URL("./content-check-worker.ts", import.meta.url);
  const thread = threads.create<ContentCheckCalls>({ name: "object checker", script, deadline: DEADLINE });
  let resting: ReturnType<typeof setTimeout> | undefined;

  return async (content, files) => {
    clearTimeout(resting);
    try {
      return await thread.call("check", { content, files }, transferable(content));
    } finally {
      clearTimeout(resting);
      resting = setTimeout(thread.rest, IDLE_TIME);
      resting.unref();
    }
  };
}
