/**
 * Does something when it is asked for, and then no more than once in each window of so many milliseconds: what is asked
 * for meanwhile is done together at its end. The first time waits for those who ask in the same breath.
 */
export function createPace(milliseconds: number, work: () => void | Promise<void>): () => void {
  let isWanted = false;
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    await Promise.resolve();
    while (isWanted) {
      isWanted = false;
      await work();
      await new Promise<void>((resolve) => void setTimeout(resolve, milliseconds).unref());
    }
    isRunning = false;
  }

  return () => {
    isWanted = true;
    if (!isRunning) run();
  };
}
