import { useEffect, useState } from "react";

/** A query whose answer comes in pages. */
export interface PagedQuery {
  data: { pages: readonly unknown[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isFetchingNextPage: boolean;
  isError: boolean;
  fetchNextPage(): Promise<unknown>;
}

/** Loads the next page of a query on request, also if what was loaded is refreshed meanwhile, which ends that request. */
export function useMore(query: PagedQuery) {
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const pages = query.data?.pages.length ?? 0;
  const [wanted, setWanted] = useState(0);
  if (wanted > 0 && wanted <= pages) setWanted(0);
  const isAwaited = wanted > pages && hasNextPage && !isError;
  useEffect(() => {
    if (isAwaited && !isFetching) void fetchNextPage();
  }, [isAwaited, isFetching, fetchNextPage]);
  return {
    isLoadingMore: isAwaited || query.isFetchingNextPage,
    showMore() {
      setWanted(pages + 1);
      if (isError && !isFetching) void fetchNextPage();
    },
  };
}
