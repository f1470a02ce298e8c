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
}

/** A call that changes something; what shows it is read again before it counts as done. */
export function useCall<R extends Route>(route: R, { owner, about, failure }: Options) {
  const client = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: () => refreshAbout(client, owner, about),
    onError: (error) => {
      if (failure !== undefined) sayFailed(failure, error);
    },
  });
}
