import { ToolError } from "./tool-error.ts";

/** Runs work when it is its turn. Throws `ToolError` when too many wait already. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets few at a time do what takes much memory and processor time. */
export function createTurns({ atOnce, waiting }: { atOnce: number; waiting: number }): Turns {
  let running = 0;
  const queue: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (running < atOnce) {
      running++;
      return;
    }
    if (queue.length >= waiting) throw new ToolError("The server is busy with other reports; try again in 10 seconds.");
    await new Promise<void>((resolve) => queue.push(resolve));
  }

  /** Whoever waits first takes the place over. */
  function leave(): void {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  }

  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
