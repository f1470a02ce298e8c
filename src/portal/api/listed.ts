import type { QueryClient } from "@tanstack/react-query";
import type { ResponseOf, searchRoute } from "../../client/routes.ts";
import { keys } from "./first-queries.ts";
import { referenceText } from "./references.ts";

type Page = ResponseOf<typeof searchRoute>;

/** Returns the reports of the lists on screen, by name or code; a list that is off screen may be out of date. */
export function readListed(queries: QueryClient, owner: string): ReadonlyMap<string, Page["items"][number]> {
  const pages = queries.getQueriesData<Page>({
    queryKey: keys.items(owner),
    type: "active",
    predicate: ({ state }) => !state.isInvalidated,
  });
  const items = pages.flatMap(([, page]) => page?.items ?? []);
  return new Map(items.map((item) => [referenceText(item), item]));
}
