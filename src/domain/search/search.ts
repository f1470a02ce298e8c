import { workspaceNotFound } from "../model/common-failures.ts";
import type { Cursors } from "../model/cursors.ts";
import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import type { FoundItem, Search, SearchPlace, SearchStore } from "./ports.ts";
import { wordsOf } from "./search-text.ts";

/** Maximum words of a query. More would hardly narrow the results. */
const SEARCH_WORDS = 20;
/** The number of reports that the index may lack before it is worth an update. */
const MOST_UNINDEXED = 500;

export interface SearchQuery extends Omit<Search, "workspaceId" | "reader" | "words" | "after"> {
  ownerSlug: string;
  q: string;
  cursor: string | undefined;
}

interface Dependencies {
  store: { search: SearchStore };
  cursors: Cursors<SearchPlace>;
  updateIndexSoon(): void;
}

/** Creates the search for reports of one workspace by text, place and tags. */
export function createSearch({ store, cursors, updateIndexSoon }: Dependencies) {
  /**
   * Returns one page of reports that the caller may read, and the cursor of the next page. Throws `NotFound` for an
   * unknown workspace, folder, drawer or tag, and `Invalid` for too many words or the cursor of another search.
   */
  async function find(caller: Caller, query: SearchQuery): Promise<{ items: FoundItem[]; nextCursor: string | null }> {
    const { ownerSlug, q, cursor, ...rest } = query;
    const membership = caller.memberships.find(({ slug }) => slug === ownerSlug);
    if (membership === undefined) throw workspaceNotFound(ownerSlug, caller);
    const words = wordsOf(q);
    if (words.length > SEARCH_WORDS) throw invalid(`q has ${words.length} words. The limit is ${SEARCH_WORDS}.`);
    const { limit: _, ...criteria } = rest;
    const question = JSON.stringify([membership.id, words, criteria]);
    const page = await store.search.search({
      ...rest,
      workspaceId: membership.id,
      reader: { userId: caller.userId, role: membership.role },
      words,
      after: cursor === undefined ? undefined : cursors.decode(question, cursor),
    });
    if (page.unindexed > MOST_UNINDEXED) updateIndexSoon();
    return { items: page.items, nextCursor: page.next === undefined ? null : cursors.encode(question, page.next) };
  }

  return { find };
}

export type SearchService = ReturnType<typeof createSearch>;
