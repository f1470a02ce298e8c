import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInput, ResponseOf, Route } from "../../client/routes.ts";
import { api } from "../api/client.ts";

/** The prefix of the queries of operators. */
export const ADMIN = ["admin"] as const;

/** Returns a call that changes something; it resolves once the lists of operators are refetched. */
export function useAdminCall<R extends Route>(route: R) {
  const client = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: () => client.invalidateQueries({ queryKey: ADMIN }),
  });
}
