import type { TrashEntryView } from "../../client/routes.ts";

/** Returns what people know a deleted report or version by. */
export function nameOf({ name, title, version_no: versionNo }: TrashEntryView): string {
  const report = name ?? title;
  return versionNo === null ? report : `version ${versionNo} of ${report}`;
}

const DAY = 24 * 60 * 60_000;

/** Returns how long an entry stays in the trash, such as "12 days left". */
export function timeLeft(expiresAt: string, now: number): string {
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return "Expires now";
  const days = Math.ceil(left / DAY);
  return days === 1 ? "Less than a day left" : `${days} days left`;
}
