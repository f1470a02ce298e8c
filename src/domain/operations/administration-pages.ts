import type { Administrator } from "../model/access.ts";
import { conflict } from "../model/failure.ts";

/** The maximum number of entries on one page of a list. */
export const ADMINISTERED_PAGE = 200;

/** Selects a page of a list that is sorted by slug. */
export interface RequestedPage {
  /** Text that occurs in the slug, the name or the email address, in any case. */
  contains?: string | undefined;
  /** The last slug of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
}

/** A page of a list. `next` is the place to continue from; undefined on the last page. */
export interface Page<Entry, Place> {
  entries: Entry[];
  next: Place | undefined;
}

/** Returns a page from a list that was read with one entry more than the page has. */
export function pageOf<Entry, Place>(
  found: Entry[],
  limit: number,
  placeOf: (entry: Entry) => Place,
): Page<Entry, Place> {
  const entries = found.slice(0, limit);
  const last = entries.at(-1);
  return { entries, next: found.length > limit && last !== undefined ? placeOf(last) : undefined };
}

/** Throws `Conflict` if operators would lock themselves out. Another operator or a command can do it. */
export function refuseOwn({ userId }: Administrator, affectedId: string, action: string): void {
  if (userId === affectedId) throw conflict(`You can't ${action}. Ask another operator.`);
}
