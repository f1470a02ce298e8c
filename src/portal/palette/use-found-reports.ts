import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries } from "@tanstack/react-query";
import { type ResponseOf, searchRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";

/** Reports shown. */
const SHOWN = 7;
/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

export type FoundReport = ResponseOf<typeof searchRoute>["items"][number] & { owner: string };

/** Returns the matching reports; until the server answers, the previous ones that match what is typed. */
export function useFoundReports(owners: readonly string[], query: string): readonly FoundReport[] {
  const typed = query.trim();
  const [q] = useDebouncedValue(typed, PAUSE);
  const { items, isPlaceholder } = useQueries({
    queries: owners.map((owner) => ({
      queryKey: [...keys.items(owner), "palette", q],
      queryFn: () => api.call(searchRoute, { query: { owner, q, limit: SHOWN } }),
      placeholderData: keepPreviousData,
    })),
    combine: (results) => ({
      isPlaceholder: results.some(({ isPlaceholderData }) => isPlaceholderData),
      items: results.flatMap(({ data }, index) =>
        (data?.items ?? []).map((item) => ({ ...item, owner: owners[index] ?? "" })),
      ),
    }),
  });
  const found = q === typed && !isPlaceholder ? items : items.filter((item) => fits(item, typed));
  return found.slice(0, owners.length === 1 ? SHOWN : 3 * SHOWN);
}

function fits({ title, name = "" }: { title: string; name?: string | undefined }, typed: string): boolean {
  const text = `${title} ${name}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
