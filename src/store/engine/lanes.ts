import { type Lane, tookTooLong } from "./pace.ts";

/** The output of a read, and the milliseconds of work that it took; or that its time was too short. */
export type ReadAnswer = { isDone: true; output: unknown; work: number } | { isDone: false };

/** The slow reads that are remembered. Those that ran least recently are forgotten first. */
const REMEMBERED = 1_000;

interface LanesOptions {
  /** Runs a read in a lane from its beginning. */
  attempt(lane: Lane, name: string, input: unknown): Promise<ReadAnswer>;
  /** Milliseconds of work after which a read leaves the quick lane. */
  quick: number;
}

/**
 * Returns a function that runs long reads, and rejects as `Unavailable` if one takes too long. One that isn't done soon
 * starts again in the slow lane, so that the slowest reads wait for each other only. Where it took long, the same read
 * begins in the slow lane the next time, as when a list is loaded again after a change.
 */
export function createLanes({ attempt, quick }: LanesOptions) {
  const slowReads = new Set<bigint | number>();

  function remember(read: bigint | number, isSlow: boolean): void {
    slowReads.delete(read);
    if (isSlow) slowReads.add(read);
    for (const oldest of slowReads) {
      if (slowReads.size <= REMEMBERED) break;
      slowReads.delete(oldest);
    }
  }

  return async (name: string, input: unknown, lane: Lane): Promise<unknown> => {
    const read = Bun.hash(JSON.stringify([name, input]));
    if (lane === "quick" && !slowReads.has(read)) {
      const answer = await attempt("quick", name, input);
      if (answer.isDone) return answer.output;
    }
    const answer = await attempt("slow", name, input);
    remember(read, !answer.isDone || answer.work > quick);
    if (!answer.isDone) throw tookTooLong();
    return answer.output;
  };
}
