import type { Client } from "../client/client.ts";
import { accountRoute } from "../client/routes.ts";

/** Returns the requested workspace, or the user's own. */
export async function workspaceOf(client: Client, requested: string | undefined): Promise<string> {
  return requested ?? (await client.call(accountRoute)).user.slug;
}
