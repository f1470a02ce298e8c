import { loadRoutes } from "../client/lazy-routes.ts";
import type { ThreadEntry } from "../client/routes.ts";
import type { Reference } from "./references.ts";
import type { Session } from "./session.ts";

/** The largest page that the server returns. */
const PAGE = 200;

interface ThreadQuery {
  state: "all" | "unaddressed";
  /** Only threads that changed after this `changes_cursor`. */
  since?: string | undefined;
  /** The number of the version in which places are looked up; 0 is the current one. */
  version?: number | undefined;
}

/** Threads, and the cursor of changes from which waiting goes on. */
export interface Threads {
  threads: ThreadEntry[];
  changesCursor: string;
}

/** Returns all threads of a report, page by page. */
export async function fetchThreads(session: Session, reference: Reference, query: ThreadQuery): Promise<Threads> {
  const { commentsRoute } = await loadRoutes.comments();
  const threads: ThreadEntry[] = [];
  let changesCursor: string | undefined;
  for (let cursor: string | undefined; ; ) {
    const page = await session.call(commentsRoute, { query: { ...reference, ...query, limit: PAGE, cursor } });
    threads.push(...page.threads);
    // That of the first page, so that changes meanwhile aren't missed.
    changesCursor ??= page.changes_cursor;
    if (page.next_cursor === null) return { threads, changesCursor };
    cursor = page.next_cursor;
  }
}
