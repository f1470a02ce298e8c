import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  appsRoute,
  invitationsRoute,
  itemVersionsRoute,
  membersRoute,
  previewsRoute,
  reportRoute,
  seenRoute,
  sessionsRoute,
  tokensRoute,
} from "../../client/routes.ts";
import { api } from "./client.ts";
import { keys } from "./first-queries.ts";
import { referenceOf } from "./references.ts";

export * from "./first-queries.ts";

const VERSIONS_PAGE = 50;
const CHOICE = 200;

export const tokensQuery = () => queryOptions({ queryKey: keys.tokens, queryFn: () => api.call(tokensRoute) });

export const appsQuery = () => queryOptions({ queryKey: keys.apps, queryFn: () => api.call(appsRoute) });

export const sessionsQuery = () => queryOptions({ queryKey: keys.sessions, queryFn: () => api.call(sessionsRoute) });

export const membersQuery = (owner: string) =>
  queryOptions({
    queryKey: [...keys.members(owner), "list"],
    queryFn: () => api.call(membersRoute, { query: { owner } }),
  });

export const invitationsQuery = (owner: string) =>
  queryOptions({
    queryKey: [...keys.members(owner), "invitations"],
    queryFn: () => api.call(invitationsRoute, { query: { owner } }),
  });

/** Milliseconds for which a frame's address is used; it expires after eight hours. */
const PREVIEW_LIFE = 7 * 60 * 60_000;

/** The address at which a frame shows a version; null if it can't be shown. */
export const previewQuery = (code: string) =>
  queryOptions({
    queryKey: ["previews", code],
    queryFn: async () => (await api.call(previewsRoute, { query: { code: [code] } })).previews[0]?.src ?? null,
    staleTime: PREVIEW_LIFE,
    gcTime: PREVIEW_LIFE,
  });

export const versionsQuery = (reference: string) =>
  infiniteQueryOptions({
    queryKey: [...keys.reports, "versions", reference],
    queryFn: ({ pageParam }) =>
      api.call(itemVersionsRoute, {
        query: {
          ...referenceOf(reference),
          limit: VERSIONS_PAGE,
          ...(pageParam === null ? {} : { before: pageParam }),
        },
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => last.next_before,
  });

/** The newest versions, one page of them, for the reader's bar, which keeps them until they change. */
export const newestVersionsQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.reports, "newest versions", reference],
    queryFn: () => api.call(itemVersionsRoute, { query: { ...referenceOf(reference), limit: CHOICE } }),
    // An answer that was on its way during a change would count as fresh.
    staleTime: 0,
  });

/** One version: its files and addresses. */
export const reportQuery = (code: string) =>
  queryOptions({
    queryKey: [...keys.reports, "version", code],
    queryFn: () => api.call(reportRoute, { query: { code } }),
  });

/** Who has seen a report, which changes while its page is open. */
export const seenQuery = (code: string) =>
  queryOptions({
    queryKey: [...keys.reports, "seen", code],
    queryFn: () => api.call(seenRoute, { query: { code } }),
    refetchInterval: SEEN_INTERVAL,
  });

const SEEN_INTERVAL = 30_000;
