import type { Client } from "../client/client.ts";
import { accountRoute, type ItemDetailEntry } from "../client/routes.ts";
import { ToolError } from "./tool-error.ts";

/** Returns the requested workspace, or the user's own. */
export async function workspaceOf(client: Client, requested: string | undefined): Promise<string> {
  return requested ?? (await client.call(accountRoute)).user.slug;
}

/** Throws `ToolError` for a report that others share with the user. */
export async function requireMember(client: Client, { name, code, owner_slug: owner }: ItemDetailEntry): Promise<void> {
  const { workspaces } = await client.call(accountRoute);
  if (workspaces.some(({ slug }) => slug === owner)) return;
  throw new ToolError(
    `"${name ?? code}" belongs to the workspace ${owner}, of which the user isn't a member. They can read it, but not change it.`,
  );
}
