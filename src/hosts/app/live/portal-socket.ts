import type { Hono } from "hono";
import { PORTAL_SOCKET_PATH } from "../../../contract/live/portal-socket.ts";
import { unauthenticated } from "../../../domain/model/failure.ts";
import type { FindSession } from "../../http/session-cookie.ts";
import type { Environment, Mount } from "../mount.ts";

/** Mounts the portal's WebSocket. Its path is also where supervisors check whether the process works. */
export function mountPortalSocket(
  app: Hono<Environment>,
  mount: Pick<Mount, "refuseOtherMethods">,
  { findSession, answerLive }: { findSession: FindSession; answerLive(): Response },
): void {
  app.get(PORTAL_SOCKET_PATH, async (context) => {
    const { headers } = context.req.raw;
    // Browsers send both with a socket.
    if (!headers.has("upgrade") && !headers.has("origin")) return answerLive();
    const response = await context.env.servePortalSocket(async () => {
      // Browsers never send this header with a socket, so such a request is rejected.
      const session = headers.has("authorization") ? undefined : await findSession(headers);
      if (session === undefined) throw unauthenticated("You aren't signed in. Sign in and try again.");
      return session;
    });
    // Hono needs a response, even though the request has become a socket.
    return response ?? new Response(null);
  });
  mount.refuseOtherMethods(PORTAL_SOCKET_PATH, "GET");
}
