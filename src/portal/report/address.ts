import { getRouteApi } from "@tanstack/react-router";
import { useCallback } from "react";

const route = getRouteApi("/r/$reference");

export type Tab = "preview" | "versions" | "compare" | "files";

interface Change {
  tab?: Tab | undefined;
  version?: string | undefined;
  with?: string | undefined;
}

/** What the address of a report's page says, and how it is changed. */
export function useReportAddress() {
  const { reference } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  /** Shows another part of the same report. */
  const go = useCallback(
    (change: Change) => void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false }),
    [navigate],
  );
  /** The same page is that of another name from now on. */
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
