import { queryOptions } from "@tanstack/react-query";
import { changesRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";

/** What changed between two versions, with where it stands in the newer one. */
export const changesQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: ["files", from, to, "changes"],
    queryFn: ({ signal }) => api.call(changesRoute, { query: { code: to, from, anchors: "true" }, signal }),
    // Published files never change.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
