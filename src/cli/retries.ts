/** Pauses between attempts, in milliseconds, unless the server names one. */
const PAUSES = [300, 600, 1200, 2400];
/** A server that wants to be left alone for longer is not waited for. */
const LONGEST_PAUSE = 60_000;

export interface Patience {
  /** Milliseconds until the next attempt; undefined when there is no use in one. */
  pauseAfter(error: unknown, suggested: number): number | undefined;
  onPause(pause: number): void;
}

/** Does something again while it fails for a reason that passes. Throws what the last attempt threw. */
export async function withRetries<Result>(attempt: () => Promise<Result>, patience: Patience): Promise<Result> {
  for (const suggested of PAUSES) {
    try {
      return await attempt();
    } catch (error) {
      const pause = patience.pauseAfter(error, spread(suggested));
      if (pause === undefined || pause > LONGEST_PAUSE) throw error;
      patience.onPause(pause);
      await Bun.sleep(pause);
    }
  }
  return attempt();
}

/** So that clients which failed together do not come back together. */
const spread = (pause: number) => pause * (0.75 + Math.random() / 2);
