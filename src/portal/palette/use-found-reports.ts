import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ResponseOf, searchRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";

/** Reports shown of each workspace. */
const SHOWN = 7;
/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

export type FoundReport = ResponseOf<typeof searchRoute>["items"][number] & { owner: string };

/** The workspaces to search. What changes in the first is shown at once. */
type Owners = readonly [string, ...string[]];

/** Returns the matching reports; until the server answers, the previous ones that match what is typed. */
export function useFoundReports([here, ...others]: Owners, query: string): readonly FoundReport[] {
  const typed = query.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { data: items = [], isPlaceholderData } = useQuery({
    queryKey: [...keys.items(here), "palette", others, q],
    queryFn: async () => (await Promise.all([here, ...others].map((owner) => search(owner, q)))).flat(),
    placeholderData: keepPreviousData,
  });
  return q === typed && !isPlaceholderData ? items : items.filter((item) => fits(item, typed));
}

async function search(owner: string, q: string): Promise<FoundReport[]> {
  const { items } = await api.call(searchRoute, { query: { owner, q, limit: SHOWN } });
  return items.map((item) => ({ ...item, owner }));
}

function fits({ title, name = "" }: { title: string; name?: string | undefined }, typed: string): boolean {
  const text = `${title} ${name}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
