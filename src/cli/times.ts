import { CommandError, EXIT_CODES } from "./output.ts";

const DATE_OR_TIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:\d{2})?)?$/;
const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Returns the milliseconds since 1970 that an option means: a date, a time, or a duration before or after now. Throws
 * `CommandError`.
 */
export function parseTime(option: string, text: string, relation: "before now" | "after now"): number {
  const [, count, unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const duration = Number(count) * (UNITS[unit] ?? 0);
  if (count !== undefined) return Date.now() + (relation === "after now" ? duration : -duration);
  const time = DATE_OR_TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CommandError(
    `"${text}" isn't a valid time (${option}). Use a date such as 2026-03-01, or a duration such as 30d or 12h.`,
    EXIT_CODES.usage,
  );
}
