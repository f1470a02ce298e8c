import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  accountRoute,
  invitationsRoute,
  itemRoute,
  itemVersionsRoute,
  membersRoute,
  previewsRoute,
  reportRoute,
  searchRoute,
  sessionsRoute,
  shortcutsRoute,
  taxonomyRoute,
  tokensRoute,
} from "../../client/routes.ts";
import { api } from "./client.ts";
import type { ItemFilter } from "./filter.ts";
import { referenceOf } from "./references.ts";

/** Reports per page of the list. */
const ITEMS_PAGE = 100;
const VERSIONS_PAGE = 50;
/** Milliseconds for which pages stay cached, so that going back from a report keeps the place in the list. */
const ITEMS_KEPT = 30 * 60_000;

/** Prefixes of query keys; a change invalidates every query under one of them. */
export const keys = {
  account: ["account"],
  tokens: ["account", "tokens"],
  sessions: ["account", "sessions"],
  /** Everything that shows one report, by its reference or code. */
  reports: ["reports"],
  workspace: (owner: string) => ["workspace", owner],
  items: (owner: string) => ["workspace", owner, "items"],
  taxonomy: (owner: string) => ["workspace", owner, "taxonomy"],
  shortcuts: (owner: string) => ["workspace", owner, "shortcuts"],
  members: (owner: string) => ["workspace", owner, "members"],
} as const;

export const accountQuery = () =>
  queryOptions({ queryKey: [...keys.account, "own"], queryFn: () => api.call(accountRoute) });

export const tokensQuery = () => queryOptions({ queryKey: keys.tokens, queryFn: () => api.call(tokensRoute) });

export const sessionsQuery = () => queryOptions({ queryKey: keys.sessions, queryFn: () => api.call(sessionsRoute) });

export const taxonomyQuery = (owner: string) =>
  queryOptions({ queryKey: keys.taxonomy(owner), queryFn: () => api.call(taxonomyRoute, { query: { owner } }) });

export const shortcutsQuery = (owner: string) =>
  queryOptions({ queryKey: keys.shortcuts(owner), queryFn: () => api.call(shortcutsRoute, { query: { owner } }) });

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

/** One page of a workspace's filtered reports; a null cursor means the first. */
export const itemsQuery = (owner: string, filter: ItemFilter, cursor: string | null) =>
  queryOptions({
    queryKey: [...keys.items(owner), filter, cursor],
    queryFn: ({ signal }) =>
      api.call(searchRoute, {
        query: { ...searchOf(filter), owner, limit: ITEMS_PAGE, ...(cursor === null ? {} : { cursor }) },
        signal,
      }),
    gcTime: ITEMS_KEPT,
  });

function searchOf({ q, folder, drawer, tags, within, visibility, sort }: ItemFilter) {
  return {
    ...(q === undefined ? {} : { q }),
    ...(folder === undefined ? {} : { folder_id: folder }),
    ...(drawer === undefined ? {} : { drawer_id: drawer }),
    ...(tags === undefined ? {} : { tag_id: tags }),
    ...(within === undefined ? {} : { tag_scope: within }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** A report by its name or code. */
export const itemQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.reports, "item", reference],
    queryFn: () => api.call(itemRoute, { query: referenceOf(reference) }),
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

/** One version: its files and addresses. */
export const reportQuery = (code: string) =>
  queryOptions({
    queryKey: [...keys.reports, "version", code],
    queryFn: () => api.call(reportRoute, { query: { code } }),
  });
