import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { versionsQuery } from "../../api/queries.ts";
import { referenceText } from "../../api/references.ts";
import { useMore } from "../../shared/use-more.ts";
import type { Item } from "../types.ts";

/** Returns the versions loaded so far, newest first. */
export function useVersions(item: Item) {
  const query = useInfiniteQuery(versionsQuery(referenceText(item)));
  const { data, error, isPending, refetch, hasNextPage } = query;
  const { isLoadingMore, showMore } = useMore(query);
  const versions = useMemo(() => (data?.pages ?? []).flatMap((page) => page.versions), [data]);
  const [newest] = versions;
  return {
    versions,
    /** The newest version, if it isn't the current one. */
    newer: newest?.code === item.code ? undefined : newest,
    error,
    isPending,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    isFetchingMore: isLoadingMore,
    showMore,
  };
}
