import { createClient } from "../../client/client.ts";

export { ApiError } from "../../client/client.ts";

/** Calls the API as the signed-in reader of this page. */
export const api = createClient({ baseUrl: location.origin });

/** The same for what has to arrive though the page is being closed. */
export const lastingApi = createClient({
  baseUrl: location.origin,
  fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
});
