import { createHash } from "node:crypto";
import type { Facts } from "../../domain/model/events.ts";

/** Milliseconds for which counts are collected before other copies are told of them. */
const TELL_AFTER = 150;
/** Of a limit's counts, the share at which other copies are told at once. */
const URGENT_SHARE = 0.01;

/** What stands for a key among copies: short, and not to be read. */
export const countedKey = (key: string): string => createHash("sha256").update(key).digest("base64url").slice(0, 16);

/** How much of a limit may be counted before other copies have to know. */
export const urgencyOf = (limit: number): number => Math.max(1, Math.floor(limit * URGENT_SHARE));

/** Collects counts, to be told together: after a while, or at once when a key has `urgency` of them. */
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
