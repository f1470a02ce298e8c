import { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../domain/ports.ts";

const WINDOW = 60_000;

/** Counts one request of a credential. Throws `TooManyRequests`. */
export type RateLimit = (credentialId: string) => void;

/** At most `limit` requests per credential in a minute that starts with its first one; 0 means no limit. */
export function createRateLimit(limit: number, clock: Clock): RateLimit {
  const windows = new Map<string, { endsAt: number; count: number }>();
  if (limit === 0) return () => undefined;

  function forgetEnded(now: number): void {
    for (const [credentialId, { endsAt }] of windows) if (endsAt <= now) windows.delete(credentialId);
  }

  return (credentialId) => {
    const now = clock.now();
    let window = windows.get(credentialId);
    if (window === undefined || window.endsAt <= now) {
      if (windows.size >= 10_000) forgetEnded(now);
      window = { endsAt: now + WINDOW, count: 0 };
      windows.set(credentialId, window);
    }
    window.count++;
    if (window.count > limit) {
      const retryAfter = Math.ceil((window.endsAt - now) / 1000);
      throw new Failure("TooManyRequests", `More than ${limit} requests in a minute; try again in ${retryAfter} s.`, {
        retryAfter,
      });
    }
  };
}
