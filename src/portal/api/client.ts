import { createClient } from "../../client/client.ts";

export { ApiError } from "../../client/client.ts";

/** Calls the API as the signed-in user. */
export const api = createClient({ baseUrl: location.origin });
