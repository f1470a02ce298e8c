/**
 * Throttles work to one run per window. Calls during the window share one run at its end. The first run starts after the
 * current task, so that calls in the same task share it.
 */
export function createPace(milliseconds: number, work: () => void | Promise<void>): () => void {
  let isRequested = false;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await Promise.resolve();
    while (isRequested) {
      isRequested = false;
      await work();
      await new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref());
    }
    isRunning = false;
  }

  return () => {
    isRequested = true;
    if (!isRunning) run();
  };
}
