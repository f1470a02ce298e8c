/** What a report's page shows in place of the report. */
const VIEWS = ["compare", "files"] as const;
export type View = (typeof VIEWS)[number];
/** How versions are compared; on phones they lie above each other unless the address says otherwise. */
export const COMPARE_WAYS = ["pages", "overlay", "changes", "source"] as const;
export type CompareWay = (typeof COMPARE_WAYS)[number];

interface ReportSearch {
  tab?: View | undefined;
  /** The selected version; the current one if omitted. */
  version?: string | undefined;
  /** The version to compare with. */
  with?: string | undefined;
  as?: CompareWay | undefined;
  /** Whether the Share dialog is open; `?share` alone is enough. */
  share?: true | undefined;
  /** Whether comments are open at first; `?comments` alone is enough. */
  comments?: true | undefined;
  /** The thread of comments that is open. */
  thread?: string | undefined;
}

/** Reads the address of a report's page. Invalid values are ignored. */
export function readReportSearch(search: Readonly<Record<string, unknown>>): ReportSearch {
  const tab = VIEWS.find((candidate) => candidate === search.tab);
  const as = COMPARE_WAYS.find((candidate) => candidate === search.as);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof search.version === "string" ? { version: search.version } : {}),
    ...(typeof search.with === "string" ? { with: search.with } : {}),
    ...(as === undefined ? {} : { as }),
    ...(search.share === undefined || search.share === false ? {} : { share: true }),
    ...(search.comments === undefined || search.comments === false ? {} : { comments: true }),
    ...(typeof search.thread === "string" ? { thread: search.thread } : {}),
  };
}
