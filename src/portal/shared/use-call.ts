import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { BodyInput, ResponseOf, Route } from "../../client/routes.ts";
import { type ChangeKind, refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { notifyError } from "./notify.ts";

interface Options<R extends Route> {
  /** The workspace that changes, and what changes in it. */
  owner: string;
  about: readonly ChangeKind[];
  /** Title of the error notification. If omitted, the caller shows the error. */
  failure?: string;
  /** Says that it is done, also where what called is closed by then: callbacks given with a call aren't called then. */
  done?: (body: BodyInput<R>, answer: ResponseOf<R>) => void;
  /** Whether concurrent calls run one after another. */
  inTurn?: boolean;
}

/** Returns a call that changes something; it resolves once the affected queries are refetched. */
export function useCall<R extends Route>(route: R, { owner, about, failure, done, inTurn = false }: Options<R>) {
  const client = useQueryClient();
  return useMutation<ResponseOf<R>, Error, BodyInput<R>>({
    ...(inTurn ? { scope: { id: `${route.path} ${owner}` } } : {}),
    mutationFn: (body) => api.call(route, { body }),
    onSuccess: async (answer, body) => {
      await refreshAbout(client, owner, about);
      done?.(body, answer);
    },
    onError: (error) => {
      if (failure !== undefined) notifyError(failure, error);
    },
  });
}
