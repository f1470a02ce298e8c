import { queryOptions } from "@tanstack/react-query";
import { changesRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import type { FoundChanges } from "./rendered-changes.ts";

/** The changes between two versions, with their places in the newer one; as rendered, if scripts draw parts of the page. */
export const changesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ["files", from, to, "changes"],
    async queryFn({ signal }): Promise<FoundChanges> {
      const filed = await api.call(changesRoute, { query: { code: to, from, anchors: "true" }, signal });
      if (!filed.drawn_by_scripts) return filed;
      const { findRendered } = await import("./rendered-changes.ts");
      return findRendered(filed).catch(() => filed);
    },
    // Published files never change.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
