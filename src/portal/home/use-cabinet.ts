import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { taxonomyQuery } from "../api/first-queries.ts";
import { type Placed, placeFolders, placeTags, type Taxonomy } from "../shared/pickers/taxonomy.ts";

const titlesOf = (placed: readonly Placed[]) => new Map(placed.map(({ id, path, title }) => [id, path + title]));

const index = (taxonomy: Taxonomy | undefined) => ({
  taxonomy,
  folders: titlesOf(taxonomy === undefined ? [] : placeFolders(taxonomy)),
  drawers: new Map(taxonomy?.drawers.map(({ id, title }) => [id, title])),
  tags: titlesOf(taxonomy === undefined ? [] : placeTags(taxonomy)),
});

/** Returns a workspace's cabinet indexed by ids; empty while loading. */
export function useCabinet(owner: string) {
  const { data } = useQuery(taxonomyQuery(owner));
  return useMemo(() => index(data), [data]);
}

export type Cabinet = ReturnType<typeof useCabinet>;
