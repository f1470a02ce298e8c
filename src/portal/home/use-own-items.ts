import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ItemFilter } from "../api/filter.ts";
import { itemsQuery, ownItemsQuery, shortcutsQuery } from "../api/first-queries.ts";
import { readOpenings } from "../api/openings.ts";
import { isStar } from "../cabinet/use-shortcuts.ts";
import { useRemovals } from "../shared/removals.tsx";
import { useAccount } from "../shared/use-account.ts";
import { type Flat, flatten, type Item, keyOf } from "./slots.ts";
import type { ItemPages } from "./use-item-pages.ts";

type Place = NonNullable<ItemFilter["place"]>;

/** Most reports in a list of the user's own, which are read at once. */
const SHOWN = 50;

/** What the lists of the user's own are made of. */
interface Source {
  /** Reports to read, in order. */
  references: readonly string[];
  /** Reports that are known already, with when they were last touched. */
  items: readonly { item: Item; at: number }[];
  /** When a report was last touched, by reference; the list's order. */
  times: ReadonlyMap<string, number>;
  isPending: boolean;
  error: Error | null;
  retry(): void;
}

/** Returns the reports that the user recently opened or published, or starred. */
export function useOwnItems(owner: string, place: Place): ItemPages {
  const recent = useRecent(owner, place === "recent");
  const starred = useStarred(owner);
  const source = place === "recent" ? recent : starred;
  const details = useQuery({
    ...ownItemsQuery(owner, source.references),
    enabled: source.references.length > 0,
    placeholderData: keepPreviousData,
  });
  const { pending: hidden } = useRemovals();
  const flat = useMemo((): Flat => {
    // What was read before the last change may have reports that no longer belong here.
    const read = (details.data?.items ?? []).filter((item) => source.references.includes(keyOf(item)));
    const all = [
      ...source.items.map(({ item, at }) => ({ item, at: Math.max(at, source.times.get(keyOf(item)) ?? 0) })),
      ...read.map((item) => ({ item, at: source.times.get(keyOf(item)) ?? 0 })),
    ];
    const items = all.sort((one, other) => other.at - one.at).map(({ item }) => item);
    const page = { items, next_cursor: null, searchedScope: owner, fullText: false as const };
    return flatten([{ cursor: null, page }], hidden);
  }, [source, details.data, owner, hidden]);
  const isReading = details.isFetching && details.data === undefined;
  const isPending = flat.items.length === 0 && (source.isPending || isReading);
  const error = isPending ? null : flat.items.length === 0 ? (source.error ?? details.error) : null;
  return {
    ...flat,
    key: `${owner} ${place}`,
    status: error !== null ? "failed" : isPending ? "pending" : "ready",
    error,
    isRetrying: false,
    isOutdated: false,
    hasMore: false,
    moreError: null,
    retry: details.error === null ? source.retry : () => void details.refetch(),
    show: nothing,
  };
}

const nothing = () => undefined;

/** What this user opened in this browser, and published anywhere. */
function useRecent(owner: string, isWanted: boolean): Source {
  const { user } = useAccount();
  const published = useQuery({
    ...itemsQuery(owner, { author: user.slug }, null),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  // Read again whenever the page opens or what the user published changes.
  const opened = useMemo(
    () => (isWanted ? readOpenings(user.slug).filter((opening) => opening.owner === owner) : []),
    [isWanted, user.slug, owner],
  );
  const { data } = published;
  return useMemo(() => {
    const items = (data?.items ?? []).slice(0, SHOWN).map((item) => ({ item, at: Date.parse(item.updated_at) }));
    const known = new Set(items.map(({ item }) => keyOf(item)));
    return {
      items,
      references: opened
        .map(({ reference }) => reference)
        .filter((reference) => !known.has(reference))
        .slice(0, SHOWN),
      times: new Map(opened.map(({ reference, at }) => [reference, at])),
      isPending: published.isPending,
      error: published.error,
      retry: () => void published.refetch(),
    };
  }, [data, opened, published.isPending, published.error, published.refetch]);
}

/** The reports with a star, latest first. */
function useStarred(owner: string): Source {
  const { data, isPending, error, refetch } = useQuery(shortcutsQuery(owner));
  return useMemo(() => {
    const stars = (data?.shortcuts ?? []).filter(isStar);
    return {
      items: [],
      references: stars.map(({ ref }) => ref).slice(-SHOWN),
      times: new Map(stars.map(({ ref }, index) => [ref, index])),
      isPending,
      error,
      retry: () => void refetch(),
    };
  }, [data, isPending, error, refetch]);
}
