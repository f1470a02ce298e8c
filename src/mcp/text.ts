/** Returns a number with its noun, such as "1 report" or "3 reports". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Returns the day of an instant, such as 2026-11-25. */
export const day = (instant: string): string => instant.slice(0, 10);

/** Returns an instant to the minute, such as 2026-11-25 10:34 UTC. */
export const minute = (instant: string): string => `${day(instant)} ${instant.slice(11, 16)} UTC`;

/** Returns when something ends. What ends with a day is said as people say it. */
export const end = (instant: string): string =>
  instant.endsWith("T23:59:59.999Z") ? `the end of ${day(instant)} (UTC)` : minute(instant);
