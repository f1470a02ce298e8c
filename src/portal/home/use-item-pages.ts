import { hashKey, type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { ItemFilter } from "../api/filter.ts";
import { itemsQuery } from "../api/queries.ts";
import { useRemovals } from "../shared/removals.tsx";
import { type Flat, flatten, receivePage, restoreSlots, type Slot, slotAt } from "./slots.ts";

/** Items below those on screen for which the next page is asked for ahead of time. */
const AHEAD = 40;

interface State {
  /** Says whose and which reports these are. */
  key: string;
  slots: readonly Slot[];
  /** The first and the last page that is on screen or about to be. */
  first: number;
  last: number;
}

export interface ItemPages extends Flat {
  key: string;
  status: "pending" | "failed" | "ready";
  error: Error | null;
  /** Whether these are still the reports of the search before. */
  isOutdated: boolean;
  hasMore: boolean;
  /** Why the page after the last one is not there. */
  moreError: Error | null;
  retry(): void;
  /** Says which items are on screen, by their indexes. */
  show(first: number, last: number): void;
}

/** The pages of a search, and those of the one before for as long as there is nothing of it to show. */
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
 * The reports of a workspace as one list that grows as one scrolls. Each page is a query of its own and followed only
 * while it is on screen: when reports change, a page or two are read again, however many there are, and the others when
 * somebody gets to them. As one query of many pages, all would be read again one after the other, since each says where
 * the next begins.
 */
export function useItemPages(owner: string, filter: ItemFilter): ItemPages {
  const { pending: hidden } = useRemovals();
  const { state, setState, shown, isMissing, results } = useSlots(owner, filter);
  const flat = useMemo(() => flatten(shown.slots, hidden), [shown.slots, hidden]);
  const show = useCallback(
    (firstItem: number, lastItem: number) => {
      const { starts, items } = flat;
      const first = slotAt(starts, firstItem);
      const last = lastItem + AHEAD >= items.length ? starts.length - 1 : slotAt(starts, lastItem);
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
  const error = isMissing ? (results[0]?.error ?? null) : null;
  const isPending = shown.slots[0]?.page === undefined;
  return {
    ...flat,
    key: shown.key,
    status: error !== null ? "failed" : isPending ? "pending" : "ready",
    error,
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
