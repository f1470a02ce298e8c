import type { Cursors } from "../model/cursors.ts";
import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import { wordsOf } from "../search/search-text.ts";
import type { SharedEntry, SharedPlace, SharedQuery, SharingStore } from "./ports.ts";

/** Maximum words of a query. More would hardly narrow the results. */
const MOST_WORDS = 20;

interface Dependencies {
  store: { sharing: Pick<SharingStore, "listShared" | "searchShared"> };
  cursors: Cursors<SharedPlace>;
}

export interface SharedRequest extends Omit<SharedQuery, "person" | "words" | "after"> {
  q: string;
  cursor: string | undefined;
}

/** Creates the list of what is shared with a person. */
export function createShared({ store: { sharing }, cursors }: Dependencies) {
  /** Returns one page, and the cursor of the next. Throws `Invalid` for too many words or the cursor of another list. */
  async function list(
    caller: Caller,
    { q, cursor, ...criteria }: SharedRequest,
  ): Promise<{ entries: SharedEntry[]; nextCursor: string | null }> {
    const words = wordsOf(q);
    if (words.length > MOST_WORDS) throw invalid(`q has ${words.length} words. The limit is ${MOST_WORDS}.`);
    const { userId, verifiedEmail } = caller;
    const { ownerSlug, sort, isDescending } = criteria;
    const question = JSON.stringify([userId, words, ownerSlug, sort, isDescending]);
    const after = cursor === undefined ? undefined : cursors.decode(question, cursor);
    const query = { ...criteria, words, after, person: { userId, verifiedEmail } };
    const page = await (words.length === 0 ? sharing.listShared(query) : sharing.searchShared(query));
    return { entries: page.entries, nextCursor: page.next === undefined ? null : cursors.encode(question, page.next) };
  }

  return { list };
}

export type Shared = ReturnType<typeof createShared>;
