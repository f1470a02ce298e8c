import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ResponseOf, searchRoute, sharedRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";

/** Reports shown of each workspace. */
const SHOWN = 7;
/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

type Found = Pick<ResponseOf<typeof searchRoute>["items"][number], "name" | "code" | "title" | "url">;

export interface FoundReport extends Found {
  owner: string;
  /** Whether it belongs to a workspace of someone else, and is opened by its link. */
  isShared: boolean;
}

/** The workspaces to search. What changes in the first is shown at once. */
type Owners = readonly [string, ...string[]];

/** Returns the matching reports; until the server answers, the previous ones that match what is typed. */
export function useFoundReports(
  [here, ...others]: Owners,
  query: string,
  isEverywhere: boolean,
): readonly FoundReport[] {
  const typed = query.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { data: items = [], isPlaceholderData } = useQuery({
    queryKey: [...keys.items(here), "palette", others, isEverywhere, q],
    queryFn: async () => {
      const searches = [here, ...others].map((owner) => search(owner, q));
      return (await Promise.all(isEverywhere ? [...searches, searchShared(q)] : searches)).flat();
    },
    placeholderData: keepPreviousData,
  });
  return q === typed && !isPlaceholderData ? items : items.filter((item) => fits(item, typed));
}

async function search(owner: string, q: string): Promise<FoundReport[]> {
  const { items } = await api.call(searchRoute, { query: { owner, q, limit: SHOWN } });
  return items.map((item) => ({ ...item, owner, isShared: false }));
}

/** Returns what matches of the reports that people in other workspaces share. */
async function searchShared(q: string): Promise<FoundReport[]> {
  const { items } = await api.call(sharedRoute, { query: { q, limit: SHOWN } });
  return items.map(({ owner_slug: owner, ...item }) => ({ ...item, owner, isShared: true }));
}

function fits({ title, name = "" }: { title: string; name?: string | undefined }, typed: string): boolean {
  const text = `${title} ${name}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
