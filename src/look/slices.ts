/** Milliseconds of work before the page gets a turn. */
const SLICE = 8;

/** Runs work in short parts, so that the page stays responsive. Returns undefined if it became stale meanwhile. */
export async function runInSlices<Result>(
  steps: Generator<void, Result>,
  isStale: () => boolean,
): Promise<Result | undefined> {
  for (;;) {
    const end = performance.now() + SLICE;
    do {
      const { done, value } = steps.next();
      if (done === true) return value;
    } while (performance.now() < end);
    await nextTurn();
    if (isStale()) return undefined;
  }
}

/** Waits for one turn of the event loop: timers would wait four milliseconds each. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
