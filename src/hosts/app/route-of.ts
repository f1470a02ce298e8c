import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import { parseLivePath } from "../../domain/model/links.ts";
import type { AnsweredRequest } from "../../observability/requests.ts";

const REPORT_PATH = /^\/[0-9A-Za-z]{16}(?:\/[A-Za-z0-9._-]*)?$/;
const LIVE_PARTS = new Set(["~socket", "~current", "~versions"]);
const LIVE = "/{name}/";

/** Returns the template of a request's path, of which there are few, and the host that it counts for. */
export function routeOf(context: Context): Pick<AnsweredRequest, "host" | "route"> {
  const own = matchedRoutes(context).find(({ path }) => !path.includes("*"));
  if (own !== undefined) return { host: "app", route: own.path.replace(/:(\w+)/g, "{$1}") };
  const { path } = context.req;
  if (path.startsWith("/-/")) return { host: "app", route: "/-/*" };
  if (REPORT_PATH.test(path)) return { host: "app", route: "/{code}/{file}" };
  const link = path.startsWith("/api/") ? undefined : parseLivePath(path);
  if (link === undefined) return { host: "app", route: "unknown" };
  return { host: "live", route: LIVE_PARTS.has(link.part ?? "") ? `${LIVE}${link.part}` : LIVE };
}
