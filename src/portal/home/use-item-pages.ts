import { hashKey, type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { ItemFilter } from "../api/filter.ts";
import { itemsQuery } from "../api/first-queries.ts";
import { useRemovals } from "../shared/removals.tsx";
import { useFailure } from "../shared/use-failure.ts";
import { type Flat, flatten, receivePage, restoreSlots, type Slot, slotAt } from "./slots.ts";

/** Items left below the visible ones when the next page is fetched. */
const PREFETCH_DISTANCE = 30;

interface State {
  /** Identifies the workspace and filter. */
  key: string;
  slots: readonly Slot[];
  /** First and last page that is visible or about to be. */
  first: number;
  last: number;
}

export interface ItemPages extends Flat {
  key: string;
  status: "pending" | "failed" | "ready";
  error: Error | null;
  /** Whether what failed is being tried again. */
  isRetrying: boolean;
  /** Whether these still are the results of the previous filter. */
  isOutdated: boolean;
  hasMore: boolean;
  /** The error of loading the next page. */
  moreError: Error | null;
  retry(): void;
  /** Reports the indexes of the visible items. */
  show(first: number, last: number): void;
}

/** Returns the pages of a filter, and those of the previous one until the first page has arrived. */
function useSlots(owner: string, filter: ItemFilter) {
  const client = useQueryClient();
  const key = hashKey([owner, filter]);
  const [state, setState] = useState(() => begin(client, owner, filter, key));
  const [before, setBefore] = useState<State>();
  if (state.key !== key) {
    if (state.slots[0]?.page !== undefined) setBefore(state);
    setState(begin(client, owner, filter, key));
  }
  const wanted = state.slots.slice(state.first, state.last + 1);
  const results = useQueries({ queries: wanted.map(({ cursor }) => itemsQuery(owner, filter, cursor)) });
  const slots = wanted.reduce((known, { cursor }, offset) => {
    const page = results[offset]?.data;
    return page === undefined ? known : receivePage(known, state.first + offset, cursor, page);
  }, state.slots);
  if (slots !== state.slots && state.key === key) setState({ ...state, slots });
  const isMissing = state.slots[0]?.page === undefined;
  return { state, setState, shown: isMissing ? (before ?? state) : state, isMissing, results };
}

/**
 * Returns a workspace's reports as one growing list. Each page is a separate query and only followed while visible:
 * when reports change, one or two pages are refetched, however many there are. As one infinite query, every page would
 * be refetched in sequence, because each says where the next one starts.
 */
export function useItemPages(owner: string, filter: ItemFilter): ItemPages {
  const { pending: hidden } = useRemovals();
  const { state, setState, shown, isMissing, results } = useSlots(owner, filter);
  const flat = useMemo(() => flatten(shown.slots, hidden), [shown.slots, hidden]);
  const show = useCallback(
    (firstItem: number, lastItem: number) => {
      const { starts, items } = flat;
      const first = slotAt(starts, firstItem);
      const last = lastItem + PREFETCH_DISTANCE >= items.length ? starts.length - 1 : slotAt(starts, lastItem);
      setState((now) => {
        if (now.slots !== shown.slots || (now.first === first && now.last === last)) return now;
        return { ...now, first, last };
      });
    },
    [flat, shown.slots, setState],
  );

  const lastSlot = state.slots.length - 1;
  const lastResult = results[lastSlot - state.first];
  const hasMore = !isMissing && state.slots[lastSlot]?.page === undefined;
  const error = useFailure(state.key, isMissing ? results[0] : undefined);
  const isPending = shown.slots[0]?.page === undefined;
  return {
    ...flat,
    key: shown.key,
    status: error !== null ? "failed" : isPending ? "pending" : "ready",
    error,
    isRetrying: error !== null && results[0]?.isFetching === true,
    isOutdated: shown !== state,
    hasMore,
    moreError: hasMore ? (lastResult?.error ?? null) : null,
    retry: () => void lastResult?.refetch(),
    show,
  };
}

function begin(client: QueryClient, owner: string, filter: ItemFilter, key: string): State {
  const slots = restoreSlots((cursor) => client.getQueryData(itemsQuery(owner, filter, cursor).queryKey));
  return { key, slots, first: 0, last: 0 };
}
