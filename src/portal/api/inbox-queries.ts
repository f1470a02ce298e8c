import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { inboxRoute, notificationSettingsRoute } from "../../client/routes.ts";
import { api } from "./client.ts";
import { keys } from "./first-queries.ts";

/** Comments that concern the user, newest first. */
export const inboxQuery = () =>
  infiniteQueryOptions({
    queryKey: [...keys.inbox, "list"],
    queryFn: ({ pageParam }) =>
      api.call(inboxRoute, { query: { ...(pageParam === null ? {} : { cursor: pageParam }) } }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });

/** The number of unread entries, without the entries themselves. */
export const unreadQuery = () =>
  queryOptions({
    queryKey: [...keys.inbox, "unread"],
    queryFn: async () => (await api.call(inboxRoute, { query: { limit: 1 } })).unread,
  });

export const notificationsQuery = () =>
  queryOptions({
    queryKey: [...keys.account, "notifications"],
    queryFn: () => api.call(notificationSettingsRoute),
  });
