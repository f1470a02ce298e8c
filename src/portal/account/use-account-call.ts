import type { Route } from "../../client/routes.ts";
import { useAccount } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";

/** A call that changes something of the reader's own account. `failure` begins what is said when it does not work. */
export function useAccountCall<R extends Route>(route: R, failure?: string) {
  const { user } = useAccount();
  return useCall(route, { owner: user.slug, about: ["settings"], ...(failure === undefined ? {} : { failure }) });
}
