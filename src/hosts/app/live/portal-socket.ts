import type { Hono } from "hono";
import { PORTAL_SOCKET_PATH } from "../../../contract/live/portal-socket.ts";
import { unauthenticated } from "../../../domain/model/failure.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment, Mount } from "../mount.ts";

/** The socket of pages of whoever is signed in. */
export function mountPortalSocket(
  app: Hono<Environment>,
  mount: Pick<Mount, "refuseOtherMethods">,
  findSession: FindSession,
): void {
  app.get(PORTAL_SOCKET_PATH, async (context) => {
    const { headers } = context.req.raw;
    const response = await context.env.servePortalSocket(async () => {
      // No page sends one, and whose it is would be the question.
      const session = headers.has("authorization") ? undefined : await findSession(headers);
      if (session === undefined) throw unauthenticated("You are not signed in.");
      return session;
    });
    // What has become a socket is answered already, and nobody reads this.
    return response ?? new Response(null);
  });
  mount.refuseOtherMethods(PORTAL_SOCKET_PATH, "GET");
}
