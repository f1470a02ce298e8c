import pLimit from "p-limit";
import { ToolError } from "./tool-error.ts";

/** Runs work when a slot is free. Throws `ToolError` if too many calls are already waiting. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Returns a limiter for work that needs much memory or processor time. */
export function createTurns({ concurrency, maxWaiting }: { concurrency: number; maxWaiting: number }): Turns {
  const limit = pLimit(concurrency);
  return async (work) => {
    if (limit.pendingCount >= maxWaiting) {
      throw new ToolError("The server is busy with other reports. Try again in 10 seconds.");
    }
    return limit(work);
  };
}
