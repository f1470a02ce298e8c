import type { Client } from "../client/client.ts";
import { accountRoute } from "../client/routes.ts";

/** The workspace that is wanted, or else the user's own. */
export async function workspaceOf(client: Client, wanted: string | undefined): Promise<string> {
  return wanted ?? (await client.call(accountRoute)).user.slug;
}
