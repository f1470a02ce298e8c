import type { Caller, Membership } from "./model.ts";
import type { ListedItem, Store } from "./ports.ts";

/** Rows read at a time: few enough that no read holds the event loop. */
const PAGE = 500;

/** Lists of everything that a caller may read. */
export function createLists({ store }: { store: Pick<Store, "lists"> }) {
  /** All groups, or all standalone reports, workspace by workspace, newest first, a page at a time. */
  async function* pages(caller: Caller, kind: "group" | "report"): AsyncGenerator<ListedItem[]> {
    for (const membership of caller.memberships) yield* pagesOf(caller.userId, membership, kind);
  }

  async function* pagesOf(userId: string, membership: Membership, kind: "group" | "report") {
    let beforeId: number | undefined;
    for (;;) {
      const page = await store.lists.listItems({ userId, membership, kind, beforeId, limit: PAGE });
      if (page.length > 0) yield page;
      if (page.length < PAGE) return;
      beforeId = page.at(-1)?.id;
    }
  }

  return { pages };
}

export type Lists = ReturnType<typeof createLists>;
