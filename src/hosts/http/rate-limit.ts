import type { Gossip } from "../../domain/model/events.ts";
import { Failure } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { countedKey, createBatch, urgencyOf } from "./shared-counts.ts";
import { createWindows } from "./windows.ts";

const WINDOW = 60_000;
const TOPIC = "requests";

/** Counts one request of a credential. Throws `TooManyRequests`. */
export type RateLimit = (credentialId: string) => void;

/**
 * Allows `limit` requests per credential in a minute that starts with the first one, or any number if `limit` is 0.
 * Replicas share their counts, with a short delay.
 */
export function createRateLimit(limit: number, { clock, gossip }: { clock: Clock; gossip: Gossip }): RateLimit {
  if (limit === 0) return () => undefined;
  const windows = createWindows({ length: WINDOW, clock });
  const note = createBatch(urgencyOf(limit), (counts) => gossip.tell(TOPIC, counts));
  gossip.listen(TOPIC, (counts, from) => {
    if (from !== gossip.ownId) for (const [key, count] of counts) windows.add(key, count);
    return [];
  });

  return (credentialId) => {
    const key = countedKey(credentialId);
    if (windows.count(key) >= limit) {
      const retryAfter = windows.secondsLeft(key);
      throw new Failure(
        "TooManyRequests",
        `Too many requests: the limit is ${limit} per minute. Try again in ${retryAfter} seconds.`,
        {
          retryAfter,
        },
      );
    }
    windows.add(key, 1);
    note(key);
  };
}
