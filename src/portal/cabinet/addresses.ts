import { useMatch } from "@tanstack/react-router";
import type { HomeSearch } from "../api/filter.ts";
import type { Entry } from "./entries.ts";

/** The current page, as far as the cabinet marks it. */
export interface Here {
  /** The list's filter; undefined on other pages. */
  search: HomeSearch | undefined;
  /** Name or code of the open report. */
  reference: string | undefined;
  /** Whether the trash of the workspace is open. */
  isTrash: boolean;
}

export function useHere(owner: string): Here {
  const search = useMatch({
    from: "/w/$owner",
    shouldThrow: false,
    select: (match) => (match.params.owner === owner ? match.search : undefined),
  });
  const reference = useMatch({
    from: "/r/$reference",
    shouldThrow: false,
    select: ({ params }) => params.reference,
  });
  const isTrash = useMatch({
    from: "/w/$owner/trash",
    shouldThrow: false,
    select: ({ params }) => params.owner === owner,
  });
  return { search, reference, isTrash: isTrash ?? false };
}

/** Returns the view and sort order, which a new filter keeps. */
export function viewOf({ search }: Here): HomeSearch {
  const { view, sort } = search ?? {};
  return { ...(view === undefined ? {} : { view }), ...(sort === undefined ? {} : { sort }) };
}

/** Returns the filter for one cabinet entry. */
export function filterBy({ kind, id }: Entry): HomeSearch {
  if (kind === "drawer") return { drawer: id };
  return kind === "folder" ? { folder: id } : { tags: [id] };
}

export function isCurrent({ kind, id }: Entry, { search, reference }: Here): boolean {
  if (kind === "drawer") return search?.drawer === id;
  if (kind === "folder") return search?.folder === id;
  if (kind === "tag") return search?.tags?.includes(id) ?? false;
  return reference === id;
}

const idsOf = ({ tags = [] }: HomeSearch): string[] => tags.filter((id) => id !== "none");

/** Adds a tag to a filter. */
export const withTag = ({ place: _, ...search }: HomeSearch, id: string): HomeSearch => ({
  ...search,
  tags: [...idsOf(search).filter((other) => other !== id), id],
});

/** Removes entries from a filter. */
export function without(search: HomeSearch, ids: ReadonlySet<string>): HomeSearch {
  const { folder, drawer, tags, within, place: _, ...rest } = search;
  const left = tags?.filter((id) => !ids.has(id)) ?? [];
  return {
    ...rest,
    ...(folder === undefined || ids.has(folder) ? {} : { folder }),
    ...(drawer === undefined || ids.has(drawer) ? {} : { drawer }),
    ...(left.length === 0 ? {} : { tags: left, ...(within === undefined ? {} : { within }) }),
  };
}
