import { useEffect, useState } from "react";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** From what age on, in which unit, and how many milliseconds that has. */
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number, number])[] = [
  ["minute", HOUR, MINUTE],
  ["hour", DAY, HOUR],
  ["day", 7 * DAY, DAY],
];

/** Making one takes longer than using it a hundred times. */
const formatsOf = (locale?: string) => ({
  ago: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
  date: new Intl.DateTimeFormat(locale, { dateStyle: "medium" }),
  exact: new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "medium" }),
});

const ownFormats = formatsOf();

const formatsFor = (locale: string | undefined) => (locale === undefined ? ownFormats : formatsOf(locale));

/** "3 hours ago" for what is less than a week away, else the date; in the reader's language and zone. */
export function describeTime(instant: number, now: number, locale?: string): string {
  const age = instant - now;
  if (Math.abs(age) < MINUTE) return "just now";
  const unit = UNITS.find(([, below]) => Math.abs(age) < below);
  if (unit === undefined) return formatsFor(locale).date.format(instant);
  return formatsFor(locale).ago.format(Math.round(age / unit[2]), unit[0]);
}

export const exactTime = (instant: number, locale?: string): string => formatsFor(locale).exact.format(instant);

/** A time as people say it, with the exact one on hover. */
export function Time({ at }: { at: string }) {
  const instant = Date.parse(at);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={exactTime(instant)}>
      {describeTime(instant, now)}
    </time>
  );
}
