import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { type BodyInput, guestLinksRoute, type ResponseOf, type Route } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { referenceOf } from "../api/references.ts";

/** The guest links of a report. Openings change them without any event, so they are read each time. */
export const guestLinksQuery = (reference: string) =>
  queryOptions({
    queryKey: [...keys.reports, "guest links", reference],
    queryFn: () => api.call(guestLinksRoute, { query: referenceOf(reference) }),
    staleTime: 0,
  });

/** Returns a call that changes the guest links of a report, and reads them again. */
export function useGuestCall<R extends Route>(route: R, reference: string) {
  const queries = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: guestLinksQuery(reference).queryKey }),
  });
}
