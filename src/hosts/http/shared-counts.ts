import { createHash } from "node:crypto";
import type { Facts } from "../../domain/model/events.ts";

/** How long to collect counts before sending them to other replicas, in milliseconds. */
const TELL_AFTER = 150;
/** The share of a limit at which counts are sent immediately. */
const URGENT_SHARE = 0.01;

/** Returns the short, opaque form of a key that replicas exchange. */
export const countedKey = (key: string): string => createHash("sha256").update(key).digest("base64url").slice(0, 16);

/** Returns the count at which counts are sent immediately. */
export const urgencyOf = (limit: number): number => Math.max(1, Math.floor(limit * URGENT_SHARE));

/** Collects counts to send together: after a delay, or immediately once a key has `urgency` of them. */
export function createBatch(urgency: number, tell: (counts: Facts) => unknown) {
  let counts = new Map<string, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tellAll(): void {
    clearTimeout(timer);
    timer = undefined;
    const told = [...counts];
    counts = new Map();
    tell(told);
  }

  return (key: string): void => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count >= urgency) tellAll();
    else timer ??= setTimeout(tellAll, TELL_AFTER).unref();
  };
}
