import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";

const route = getRouteApi("/r/$reference");

export type Tab = "preview" | "versions" | "compare" | "files";

interface Change {
  tab?: Tab | undefined;
  version?: string | undefined;
  with?: string | undefined;
  share?: true | undefined;
}

/** Returns what the report page's address says, and functions that change it. */
export function useReportAddress() {
  const { reference } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Changes the tab or version. */
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
  return { reference, search, go, follow };
}
