import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ItemDetailEntry } from "../../client/routes.ts";
import { itemQuery } from "../api/queries.ts";
import { isMissing } from "../shared/errors.ts";
import { titleOfDocument } from "./document-title.ts";
import type { DraftFile } from "./draft-files.ts";
import { baseNameFor, candidatesFor } from "./suggestions.ts";

export interface Suggestion {
  name: string;
  /** The user's report that has the name the files suggest. */
  existing: ItemDetailEntry | undefined;
}

export interface SuggestedName {
  suggestion: Suggestion | undefined;
  /** Resolves to the suggestion; a name that turned out to be taken is left out. */
  find(isTaken?: boolean): Promise<Suggestion>;
}

interface Source {
  owner: string;
  start: DraftFile | undefined;
  from: string | undefined;
}

/** Finds a free name for a new report from its title, file or folder. */
export function useSuggestedName(source: Source, isWanted: boolean): SuggestedName {
  const queries = useQueryClient();
  const { data } = useQuery({
    ...suggestionQuery(queries, source, false),
    enabled: isWanted && source.start !== undefined,
  });
  return {
    suggestion: data,
    find: (isTaken = false) => queries.fetchQuery(suggestionQuery(queries, source, isTaken)),
  };
}

const suggestionQuery = (queries: QueryClient, { owner, start, from }: Source, isTaken: boolean) =>
  queryOptions({
    queryKey: ["publish", "name", owner, start?.id, start?.path, from, isTaken],
    queryFn: async (): Promise<Suggestion> => {
      const title = start === undefined ? undefined : await titleOfDocument(start.source);
      const base = baseNameFor({ title, start, from });
      return findFree(queries, { base, owner, isTaken });
    },
    // A file that can't be read, or a server that can't be asked, must not keep anybody from publishing.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

interface Wanted {
  base: string;
  owner: string;
  isTaken: boolean;
}

async function findFree(queries: QueryClient, { base, owner, isTaken }: Wanted): Promise<Suggestion> {
  const candidates = candidatesFor(base, owner, isTaken);
  let existing: ItemDetailEntry | undefined;
  for (const name of candidates) {
    const item = await queries.fetchQuery(itemQuery(name)).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      return undefined;
    });
    if (item === undefined) return { name, existing };
    if (item.owner_slug === owner) existing ??= item;
  }
  return { name: candidates.at(-1) ?? base, existing };
}
