import type { Instant } from "./entities.ts";
import { invalid } from "./failure.ts";
import { quote } from "./quote.ts";

/** Returns a duration such as `90d`, `12h` or `30m` in milliseconds. Throws `Invalid`. */
export function parseDuration(text: string): Instant {
  const match = /^([1-9][0-9]{0,4})([mhd])$/.exec(text);
  if (match === null) throw invalid(`expires must be a duration such as 90d, 12h or 30m, not ${quote(text)}.`);
  const minutes = { m: 1, h: 60, d: 1440 }[match[2] ?? ""] ?? 0;
  return Number(match[1]) * minutes * 60_000;
}
