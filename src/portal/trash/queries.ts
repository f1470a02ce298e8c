import { infiniteQueryOptions } from "@tanstack/react-query";
import { trashRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";

/** What a person can restore in a workspace, the last deleted first. */
export const trashQuery = (owner: string) =>
  infiniteQueryOptions({
    queryKey: keys.trash(owner),
    queryFn: ({ pageParam, signal }) =>
      api.call(trashRoute, { query: { owner, ...(pageParam === null ? {} : { cursor: pageParam }) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
