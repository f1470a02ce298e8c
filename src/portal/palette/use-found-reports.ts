import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { type ResponseOf, type SharedItemEntry, searchRoute, sharedRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";

/** Reports shown. */
const SHOWN = 7;
/** Milliseconds after the last keypress before the search starts. */
const PAUSE = 120;

type Found = Pick<ResponseOf<typeof searchRoute>["items"][number], "name" | "code" | "title" | "url">;

export interface FoundReport extends Found {
  owner: string;
  /** Whether it belongs to a workspace of someone else, and is opened by its link. */
  isShared: boolean;
}

/** Returns the matching reports; until the server answers, the previous ones that match what is typed. */
export function useFoundReports(owners: readonly string[], query: string, withShared: boolean): readonly FoundReport[] {
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
        (data?.items ?? []).map((item) => ({ ...item, owner: owners[index] ?? "", isShared: false })),
      ),
    }),
  });
  const shared = useQuery({
    queryKey: [...keys.account, "shared", "palette", q],
    queryFn: () => api.call(sharedRoute, { query: { q, limit: SHOWN } }),
    placeholderData: keepPreviousData,
    enabled: withShared,
  });
  const ofOthers = (withShared ? (shared.data?.items ?? []) : []).map(toFound);
  const found = [
    ...(q === typed && !isPlaceholder ? items : items.filter((item) => fits(item, typed))),
    ...(q === typed && !shared.isPlaceholderData ? ofOthers : ofOthers.filter((item) => fits(item, typed))),
  ];
  return found.slice(0, withShared ? 3 * SHOWN : SHOWN);
}

const toFound = ({ owner_slug: owner, ...item }: SharedItemEntry): FoundReport => ({ ...item, owner, isShared: true });

function fits({ title, name = "" }: { title: string; name?: string | undefined }, typed: string): boolean {
  const text = `${title} ${name}`.toLocaleLowerCase();
  return typed
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
