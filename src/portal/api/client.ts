import { createClient } from "../../client/client.ts";

export { ApiError } from "../../client/client.ts";

/** Characters. Browsers send at most 64 KiB for pages that are gone, of all requests together. */
const LONGEST_KEPT = 8_000;

/** Lets changes arrive that were made just before leaving the page, which shows them as made already. */
const outlivesPage = ({ body }: RequestInit) => typeof body === "string" && body.length <= LONGEST_KEPT;

/** Calls the API as the signed-in user. */
export const api = createClient({
  baseUrl: location.origin,
  fetch: (url, init) => fetch(url, { ...init, keepalive: outlivesPage(init) }),
});
