import { workspaceNotFound } from "../model/common-failures.ts";
import type { Cursors } from "../model/cursors.ts";
import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import type { FoundItem, Search, SearchPlace, SearchStore } from "./ports.ts";
import { wordsOf } from "./search-text.ts";

/** More would say nothing more. */
const SEARCH_WORDS = 20;

export interface SearchQuery extends Omit<Search, "workspaceId" | "reader" | "words" | "after"> {
  ownerSlug: string;
  q: string;
  cursor: string | undefined;
}

interface Parts {
  store: { search: SearchStore };
  cursors: Cursors<SearchPlace>;
}

/** Finding items of one workspace by what they are called and where they are kept. */
export function createSearch({ store, cursors }: Parts) {
  /**
   * One page of what the caller may see, and the cursor of the next. Throws `NotFound` for a workspace that the caller is
   * not in and for what is not in the workspace, `Invalid` for a cursor of another search.
   */
  async function find(caller: Caller, query: SearchQuery): Promise<{ items: FoundItem[]; nextCursor: string | null }> {
    const { ownerSlug, q, cursor, ...rest } = query;
    const membership = caller.memberships.find(({ slug }) => slug === ownerSlug);
    if (membership === undefined) throw workspaceNotFound(ownerSlug);
    const words = wordsOf(q);
    if (words.length > SEARCH_WORDS) throw invalid(`q has ${words.length} words. The limit is ${SEARCH_WORDS}.`);
    const { limit: _, ...sought } = rest;
    const question = JSON.stringify([membership.id, words, sought]);
    const page = await store.search.search({
      ...rest,
      workspaceId: membership.id,
      reader: { userId: caller.userId, role: membership.role },
      words,
      after: cursor === undefined ? undefined : cursors.decode(question, cursor),
    });
    return { items: page.items, nextCursor: page.next === undefined ? null : cursors.encode(question, page.next) };
  }

  return { find };
}

export type SearchService = ReturnType<typeof createSearch>;
