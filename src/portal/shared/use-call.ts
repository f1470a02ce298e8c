import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInput, ResponseOf, Route } from "../../client/routes.ts";
import { type About, refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { sayFailed } from "./notify.ts";

interface Options {
  /** The workspace in which something changes, and what of it. */
  owner: string;
  about: readonly About[];
  /** Begins what is said when it does not work, as in "Renaming did not work". Left out where the caller says it. */
  failure?: string;
  /** Whether calls that are made while one is under way wait for it, instead of overtaking it. */
  inTurn?: boolean;
}

/** A call that changes something; what shows it is read again before it counts as done. */
export function useCall<R extends Route>(route: R, { owner, about, failure, inTurn = false }: Options) {
  const client = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    ...(inTurn ? { scope: { id: `${route.path} ${owner}` } } : {}),
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: () => refreshAbout(client, owner, about),
    onError: (error) => {
      if (failure !== undefined) sayFailed(failure, error);
    },
  });
}
