import type { Hono, HonoRequest } from "hono";
import type { Addresses } from "../../../domain/model/links.ts";
import { MCP_PATH } from "../../../domain/oauth/requests.ts";
import { bearerToken } from "../../http/bearer.ts";
import type { ReadBody } from "../../http/body.ts";
import { createBodyBudget } from "../../http/body-budget.ts";
import { allowEverySite, OPEN_CORS } from "../../http/open-cors.ts";
import { wantsPage } from "../../http/pages.ts";
import { type Environment, type Mount, senderOf } from "../mount.ts";
import { challengeFor } from "../oauth/metadata.ts";

/** The endpoint, and what people make of it. */
const PATHS: string[] = [MCP_PATH, `${MCP_PATH}/`];
/** The maximum size of a body. Parsing one of this size on the event loop is fast enough. */
const BODY_BYTES = 2 * 1024 * 1024;
/** The budget for bodies in memory, not counting small ones, in bytes. */
const BODIES = { total: 16 * BODY_BYTES, share: BODY_BYTES };

/** Answers agents (Model Context Protocol). It acts for them by calling the API with their token. */
export type AnswerMcp = (asked: {
  request: Request;
  body: Uint8Array;
  token: string;
  callApi(url: string, init: RequestInit): Promise<Response>;
}) => Promise<Response>;

/** Returns whether a request is for MCP. A report can be named "mcp", so pages opened in browsers are for its live link. */
export const isForMcp = ({ path, method, raw }: HonoRequest): boolean =>
  PATHS.includes(path) && !(method === "GET" && wantsPage(raw.headers));

export function mountMcp(
  app: Hono<Environment>,
  { admit }: Pick<Mount, "admit">,
  { answerMcp, readBody, addresses }: { answerMcp: AnswerMcp; readBody: ReadBody; addresses: Addresses },
): void {
  const budget = createBodyBudget(BODIES);

  app.on("ALL", PATHS, async (context, next) => {
    await next();
    if (!isForMcp(context.req)) return;
    const { status, headers } = context.res;
    // Agents in browsers may call MCP from any site.
    for (const [name, value] of Object.entries(OPEN_CORS)) headers.set(name, value);
    // Tells agents without a valid token where to get one.
    if (status === 401) {
      const hasToken = bearerToken(context.req.raw.headers) !== undefined;
      headers.set("WWW-Authenticate", challengeFor(addresses.baseUrl, hasToken));
    }
  });

  app.on("OPTIONS", PATHS, () => allowEverySite("POST"));

  app.on("POST", PATHS, async (context) => {
    const request = context.req.raw;
    const caller = await admit(request.headers);
    const lease = budget.open(senderOf(caller, undefined));
    try {
      return await answerMcp({
        request,
        body: await readBody(request, BODY_BYTES, lease),
        token: bearerToken(request.headers) ?? "",
        callApi: async (url, init) => app.fetch(new Request(url, init), context.env),
      });
    } finally {
      lease.release();
    }
  });

  app.on("ALL", PATHS, (context, next) =>
    isForMcp(context.req)
      ? context.json({ error: `${context.req.method} isn't supported here. Use POST.` }, 405, { Allow: "POST" })
      : next(),
  );
}
