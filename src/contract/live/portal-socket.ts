import { z } from "zod";
import { WORKSPACE_PARTS } from "../../domain/model/entities.ts";

/** Where the pages of whoever is signed in open their socket, on the application host. */
export const PORTAL_SOCKET_PATH = "/-/live";

/**
 * What the server says on that socket. It says that something changed and never what: a page fetches what it shows anew.
 * `hello`: from now on nothing is missed, so whatever was fetched before may be old.
 * `changed`: `items` also changes the counts of the cabinet and the titles of shortcuts, `cabinet` also what items and
 * shortcuts show of drawers, folders and tags.
 * `account`: profile, tokens, sessions, or to which workspaces the person belongs.
 * `gone`: the session has ended; the socket is closed next.
 */
export const portalMessage = z.discriminatedUnion("type", [
  z.object({ type: z.literal("hello") }),
  z.object({ type: z.literal("changed"), owner: z.string(), about: z.array(z.enum(WORKSPACE_PARTS)).min(1) }),
  z.object({ type: z.literal("account") }),
  z.object({ type: z.literal("gone") }),
]);

export type PortalMessage = z.output<typeof portalMessage>;
