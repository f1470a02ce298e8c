const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Units with the age from which they apply, in milliseconds. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ["minute", HOUR, MINUTE],
  ["hour", DAY, HOUR],
  ["day", 7 * DAY, DAY],
];

// Formatters are expensive to create.
const ago = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "medium" });

/** Returns "3 hours ago" within a week, otherwise the date, in the user's language and time zone. */
export function describeTime(instant: number, now: number): string {
  const age = instant - now;
  if (Math.abs(age) < MINUTE) return "just now";
  const unit = UNITS.find(([, below]) => Math.abs(age) < below);
  if (unit === undefined) return date.format(instant);
  return ago.format(Math.round(age / unit[2]), unit[0]);
}

/** Returns the time to the second, as shown on hover. */
export const describeExactTime = (instant: number): string => exact.format(instant);
