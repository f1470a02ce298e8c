import type { SearchStore } from "./ports.ts";

/** Milliseconds between updates if searches don't ask for them earlier. */
const INTERVAL = 10 * 60_000;

/** Creates what keeps the index of searches up to date. Searches check what it lacks one by one, so it may lag behind. */
export function createIndexing({ store }: { store: { search: SearchStore } }) {
  let running: Promise<void> | undefined;

  async function updateAll(signal?: AbortSignal): Promise<void> {
    while ((await store.search.updateIndex()) > 0) signal?.throwIfAborted();
  }

  /** Updates the index in the background, because many changes slow searches down. */
  function updateSoon(): void {
    if (running !== undefined) return;
    // The task reports what fails.
    running = updateAll()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
  }

  const indexing = {
    name: "search index",
    every: INTERVAL,
    async run(signal: AbortSignal): Promise<undefined> {
      await updateAll(signal);
    },
  };

  return { updateSoon, indexing };
}
