import { queryOptions } from "@tanstack/react-query";
import { FIRST_READS, LIST_PAGE } from "../../client/definitions.ts";
import type {
  accountRoute,
  itemRoute,
  itemsRoute,
  savedFiltersRoute,
  searchRoute,
  shortcutsRoute,
  taxonomyRoute,
} from "../../client/routes.ts";
import { api } from "./client.ts";
import { AGES, type ItemFilter } from "./filter.ts";
import { isCode, referenceOf } from "./references.ts";

/** Milliseconds for which pages stay cached, so that going back from a report keeps the place in the list. */
const ITEMS_KEPT = 30 * 60_000;
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

/** Prefixes of query keys; a change invalidates every query under one of them. */
export const keys = {
  account: ["account"],
  tokens: ["account", "tokens"],
  apps: ["account", "apps"],
  sessions: ["account", "sessions"],
  inbox: ["account", "inbox"],
  /** Everything that shows one report, by its reference or code. */
  reports: ["reports"],
  workspace: (owner: string) => ["workspace", owner],
  items: (owner: string) => ["workspace", owner, "items"],
  taxonomy: (owner: string) => ["workspace", owner, "taxonomy"],
  shortcuts: (owner: string) => ["workspace", owner, "shortcuts"],
  members: (owner: string) => ["workspace", owner, "members"],
  trash: (owner: string) => ["workspace", owner, "trash"],
  retention: (owner: string) => ["workspace", owner, "retention"],
  filters: (owner: string) => ["workspace", owner, "filters"],
} as const;

export const accountQuery = () =>
  queryOptions({
    queryKey: [...keys.account, "own"],
    queryFn: () => api.read<typeof accountRoute>(FIRST_READS.account),
  });

export const taxonomyQuery = (owner: string) =>
  queryOptions({
    queryKey: keys.taxonomy(owner),
    queryFn: () => api.read<typeof taxonomyRoute>(FIRST_READS.taxonomy, { query: { owner } }),
  });

export const shortcutsQuery = (owner: string) =>
  queryOptions({
    queryKey: keys.shortcuts(owner),
    queryFn: () => api.read<typeof shortcutsRoute>(FIRST_READS.shortcuts, { query: { owner } }),
  });

/** The searches that the user has saved in a workspace. */
export const savedFiltersQuery = (owner: string) =>
  queryOptions({
    queryKey: keys.filters(owner),
    queryFn: () => api.read<typeof savedFiltersRoute>(FIRST_READS.filters, { query: { owner } }),
  });

/** One page of a workspace's filtered reports; a null cursor means the first. */
export const itemsQuery = (owner: string, filter: ItemFilter, cursor: string | null) =>
  queryOptions({
    queryKey: [...keys.items(owner), filter, cursor],
    queryFn: ({ signal }) =>
      api.read<typeof searchRoute>(FIRST_READS.search, {
        query: { ...queryOf(filter), owner, limit: LIST_PAGE, ...(cursor === null ? {} : { cursor }) },
        signal,
      }),
    gcTime: ITEMS_KEPT,
  });

/** Reports of a workspace by their names or codes; those that the user can't see are left out. */
export const ownItemsQuery = (owner: string, references: readonly string[]) =>
  queryOptions({
    queryKey: [...keys.items(owner), "own", references],
    queryFn: ({ signal }) =>
      api.read<typeof itemsRoute>(FIRST_READS.items, {
        query: {
          owner,
          name: references.filter((reference) => !isCode(reference)),
          code: references.filter(isCode),
        },
        signal,
      }),
  });

/** Returns the parameters of a search. */
export function queryOf(filter: ItemFilter) {
  const { q, folder, drawer, tags, within, author, visibility, sort, until } = filter;
  const since = filter.since ?? startOf(filter.age);
  return {
    ...(q === undefined ? {} : { q }),
    ...(folder === undefined ? {} : { folder_id: folder }),
    ...(drawer === undefined ? {} : { drawer_id: drawer }),
    ...(tags === undefined ? {} : { tag_id: tags }),
    ...(tags === undefined || within === "tag" ? {} : { tag_scope: "subtree" as const }),
    ...(author === undefined ? {} : { author: [author] }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(visibility === undefined ? {} : { visibility }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** Returns the time an age ago, to the hour, so that it asks for the same page again soon after. */
function startOf(age: ItemFilter["age"]): string | undefined {
  if (age === undefined) return undefined;
  return new Date(Math.floor((Date.now() - AGES[age] * DAY) / HOUR) * HOUR).toISOString();
}

/** A report by its name or code. */
export const itemQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.reports, "item", reference],
    queryFn: () => api.read<typeof itemRoute>(FIRST_READS.item, { query: referenceOf(reference) }),
  });
