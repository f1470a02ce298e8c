import type { Route } from "../../client/routes.ts";
import { useAccount } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";

/** Returns a call that changes the user's own account. `failure` is the title of its error notification. */
export function useAccountCall<R extends Route>(route: R, failure?: string) {
  const { user } = useAccount();
  return useCall(route, { owner: user.slug, about: ["settings"], ...(failure === undefined ? {} : { failure }) });
}
