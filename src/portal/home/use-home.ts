import { getRouteApi } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { HomeSearch, ItemFilter } from "../api/filter.ts";

const route = getRouteApi("/w/$owner");

const VIEW = "vitrine-view";

export type View = NonNullable<HomeSearch["view"]>;

/** Returns what the address says: the workspace, the filter and the view. */
export function useHome() {
  const { owner } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filter = useMemo((): ItemFilter => {
    const { view: _, ...rest } = search;
    return rest;
  }, [search]);

  const change = useCallback(
    (changes: { readonly [Name in keyof HomeSearch]: HomeSearch[Name] | undefined }) =>
      void navigate({ search: (before) => ({ ...before, ...changes }) }),
    [navigate],
  );
  const setView = useCallback(
    (view: View) => {
      localStorage.setItem(VIEW, view);
      change({ view });
    },
    [change],
  );
  const view: View = search.view ?? (localStorage.getItem(VIEW) === "gallery" ? "gallery" : "list");
  return useMemo(() => ({ owner, filter, view, change, setView }), [owner, filter, view, change, setView]);
}

export type Home = ReturnType<typeof useHome>;

/** Returns whether the list shows every report of the workspace. */
export const isWhole = ({ sort: _, within: __, ...filter }: ItemFilter): boolean =>
  Object.values(filter).every((value) => value === undefined);
