import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";
import type { CompareWay, View } from "../app/report-search.ts";

const route = getRouteApi("/r/$reference");

interface Change {
  /** Undefined is the report itself. */
  tab?: View | undefined;
  version?: string | undefined;
  with?: string | undefined;
  as?: CompareWay | undefined;
  share?: true | undefined;
}

/** Returns what the report page's address says, and functions that change it. */
export function useReportAddress() {
  const { reference } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes the view or version. */
  const go = useCallback(
    (change: Change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false }),
    [navigate],
  );
  /** Continues under a new name. */
  const follow = useCallback(
    (name: string) =>
      void navigate({
        to: "/r/$reference",
        params: { reference: name },
        search: (before) => before,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return { reference, search, view: search.tab, go, follow };
}
