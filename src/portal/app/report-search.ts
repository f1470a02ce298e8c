const TABS = ["preview", "versions", "compare", "files"] as const;

interface ReportSearch {
  tab?: (typeof TABS)[number] | undefined;
  /** The selected version; the current one if omitted. */
  version?: string | undefined;
  /** The version to compare with. */
  with?: string | undefined;
  /** Whether the Share dialog is open; `?share` alone is enough. */
  share?: true | undefined;
  /** Whether comments are open at first; `?comments` alone is enough. */
  comments?: true | undefined;
  /** The thread of comments that is open. */
  thread?: string | undefined;
}

/** Reads the address of a report's page. Invalid values are ignored. */
export function readReportSearch(search: Readonly<Record<string, unknown>>): ReportSearch {
  const tab = TABS.find((candidate) => candidate === search.tab);
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(typeof search.version === "string" ? { version: search.version } : {}),
    ...(typeof search.with === "string" ? { with: search.with } : {}),
    ...(search.share === undefined || search.share === false ? {} : { share: true }),
    ...(search.comments === undefined || search.comments === false ? {} : { comments: true }),
    ...(typeof search.thread === "string" ? { thread: search.thread } : {}),
  };
}
