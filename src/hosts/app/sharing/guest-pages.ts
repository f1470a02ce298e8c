import type { Context, Hono } from "hono";
import { redirectTo } from "../../http/page-responses.ts";
import type { Environment } from "../mount.ts";

/** Parts of the live link of a report that is named "s" begin like this. */
const LIVE_PART = "~";

/** Mounts guest links, `/s/{secret}/`. The templates of the paths, not the paths, appear in logs. */
export function mountGuestPages(app: Hono<Environment>, { baseUrl }: { baseUrl: string }): void {
  const serve = async ({ req, env }: Context<Environment>): Promise<Response> => {
    const secret = req.param("secret") ?? "";
    const response = await env.serveGuest({ secret, part: req.param("part") ?? "" });
    // Hono needs a response, even though the request has become a socket.
    return response ?? new Response(null);
  };

  app.get("/s/:secret", (context, next) => {
    const secret = context.req.param("secret");
    if (secret.startsWith(LIVE_PART)) return next();
    return Promise.resolve(redirectTo(`${baseUrl}/s/${encodeURIComponent(secret)}/${new URL(context.req.url).search}`));
  });
  app.get("/s/:secret/", serve);
  app.get("/s/:secret/:part", serve);
  app.post("/s/:secret/:part", serve);
}
