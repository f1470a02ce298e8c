import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInput, ResponseOf, Route } from "../../client/routes.ts";
import { type ChangeKind, refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { notifyError } from "./notify.ts";

interface Options {
  /** The workspace that changes, and what changes in it. */
  owner: string;
  about: readonly ChangeKind[];
  /** Title of the error notification. If omitted, the caller shows the error. */
  failure?: string;
  /** Whether concurrent calls run one after another. */
  inTurn?: boolean;
}

/** Returns a call that changes something; it resolves once the affected queries are refetched. */
export function useCall<R extends Route>(route: R, { owner, about, failure, inTurn = false }: Options) {
  const client = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    ...(inTurn ? { scope: { id: `${route.path} ${owner}` } } : {}),
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: () => refreshAbout(client, owner, about),
    onError: (error) => {
      if (failure !== undefined) notifyError(failure, error);
    },
  });
}
