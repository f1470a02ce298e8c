import type { CommentStore } from "./model.ts";

/** Milliseconds before a failed wait for changes is tried again. */
const RETRY = 5_000;

/** Shows what others write as soon as the server knows it, until the signal aborts. */
export async function followChanges(
  store: Pick<CommentStore, "waitForChange">,
  show: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isChanged = await store.waitForChange(signal);
    if (isChanged === true) await show();
    else if (isChanged === undefined) await new Promise((resolve) => setTimeout(resolve, RETRY));
  }
}
