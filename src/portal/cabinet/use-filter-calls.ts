import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { loadPart } from "../shared/missing-part.ts";
import { notifyError } from "../shared/notify.ts";
import type { FilterCalls, SavedFilter } from "./filter-calls.ts";

/** Returns the changes to saved filters, whose code is loaded with the first of them. */
export function useFilterCalls(owner: string) {
  const queries = useQueryClient();
  return useMemo(() => {
    const load = async (): Promise<FilterCalls> =>
      (await loadPart(import("./parts.ts"))).buildFilterCalls(queries, owner);
    return {
      rename: async (id: string, title: string) => (await load()).rename(id, title),
      remove: (saved: SavedFilter) =>
        void load()
          .then((calls) => calls.remove(saved))
          .catch((error) => notifyError("Couldn't delete the filter", error)),
    };
  }, [queries, owner]);
}
