/** Milliseconds between attempts, unless the server asks for a longer pause. */
const PAUSES = [300, 600, 1200, 2400];
/** The command fails if the server asks for a longer pause. */
const LONGEST_PAUSE = 60_000;

export interface RetryPolicy {
  /** Returns the milliseconds until the next attempt, or undefined if another attempt would not help. */
  pauseAfter(error: unknown, suggested: number): number | undefined;
  onPause(pause: number): void;
}

/** Repeats an attempt while it fails for a temporary reason. Throws what the last attempt threw. */
export async function withRetries<Result>(attempt: () => Promise<Result>, policy: RetryPolicy): Promise<Result> {
  for (const suggested of PAUSES) {
    try {
      return await attempt();
    } catch (error) {
      const pause = policy.pauseAfter(error, spread(suggested));
      if (pause === undefined || pause > LONGEST_PAUSE) throw error;
      policy.onPause(pause);
      await Bun.sleep(pause);
    }
  }
  return attempt();
}

/** Varies a pause, so that clients that failed together do not retry together. */
const spread = (pause: number) => pause * (0.75 + Math.random() / 2);
