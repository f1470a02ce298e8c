import * as z from "zod";
import { WORKSPACE_PARTS } from "../../domain/model/entities.ts";

/** The path of the portal's WebSocket, on the application host. */
export const PORTAL_SOCKET_PATH = "/-/live";

/**
 * Describes a message to the portal. A message names what changed but carries no data: the page fetches it again.
 * - `hello`: changes are reported from now on; data fetched earlier may be stale.
 * - `changed`: `items` also affects the counts in the cabinet and the titles of shortcuts; `cabinet` also affects the
 *   drawers, folders and tags shown with items and shortcuts.
 * - `account`: the profile, access tokens, sessions or workspace memberships changed.
 * - `gone`: the session has ended; the server closes the socket next.
 */
export const portalMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("changed"), owner: z.string(), about: z.array(z.enum(WORKSPACE_PARTS)).min(1) }),
  z.object({ type: z.literal("account") }),
  z.object({ type: z.literal("gone") }),
]);

export type PortalMessage = z.output<typeof portalMessage>;
