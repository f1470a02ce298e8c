/** A thread's place in the report and in the list beside it, in pixels from the top of each. */
export interface LinkedPlace {
  report: number;
  list: number;
}

/**
 * Returns how far to scroll the list so that the threads near a position of the report are beside it: in proportion between the
 * nearest threads above and below.
 */
export function linkedScroll(places: readonly LinkedPlace[], reportTop: number): number | undefined {
  const sorted = [...places].sort((one, other) => one.report - other.report);
  const after = sorted.findIndex(({ report }) => report >= reportTop);
  const next = sorted[after];
  const before = after < 0 ? sorted.at(-1) : sorted[after - 1];
  if (next === undefined) return before?.list;
  if (before === undefined || next.report === before.report) return next.list - (next.report - reportTop);
  const share = (reportTop - before.report) / (next.report - before.report);
  return before.list + share * (next.list - before.list);
}
