import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { accessRequestsRoute, sharedRoute, shareRoute } from "../../client/routes.ts";
import { api } from "./client.ts";
import { keys } from "./first-queries.ts";
import { referenceOf } from "./references.ts";

/** With whom a report is shared, for those who can change it. */
export const shareQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.reports, "share", reference],
    queryFn: () => api.call(shareRoute, { query: referenceOf(reference) }),
  });

/** What others share with the user. */
export const sharedQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.account, "shared", q],
    queryFn: ({ pageParam, signal }) =>
      api.call(sharedRoute, {
        query: { ...(q === "" ? {} : { q }), ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    staleTime: 0,
  });

/** Requests for access that the user can answer. */
export const requestsQuery = () =>
  queryOptions({ queryKey: [...keys.account, "requests"], queryFn: () => api.call(accessRequestsRoute) });
