import type { Hono, HonoRequest } from "hono";
import { bearerToken } from "../bearer.ts";
import { wantsPage } from "../pages.ts";
import { readBody } from "./body.ts";
import { createBodyBudget } from "./body-budget.ts";
import type { Environment, Mount } from "./mount.ts";

const PATH = "/mcp";
/** It is parsed on the event loop: long texts quickly, so that this much does not hold it up. */
const BODY_BYTES = 2 * 1024 * 1024;
/** Bytes of all bodies that are held in memory at a time, but for small ones. */
const BODIES_BYTES = 16 * BODY_BYTES;

/** Answers agents (Model Context Protocol). What it does for them it does with their token, by calls of the API. */
export type AnswerMcp = (asked: {
  request: Request;
  body: Uint8Array;
  token: string;
  callApi(url: string, init: RequestInit): Promise<Response>;
}) => Promise<Response>;

/** "mcp" is a name that a group can have, and what browsers open is its link's. */
export const isForMcp = ({ path, method, raw }: HonoRequest): boolean =>
  path === PATH && !(method === "GET" && wantsPage(raw.headers));

export function mountMcp(
  app: Hono<Environment>,
  { admit }: Pick<Mount, "admit">,
  { answerMcp }: { answerMcp: AnswerMcp },
): void {
  const budget = createBodyBudget(BODIES_BYTES);

  app.post(PATH, async (context) => {
    const request = context.req.raw;
    await admit(request.headers);
    const lease = budget.open();
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

  app.all(PATH, (context, next) =>
    isForMcp(context.req)
      ? context.json({ error: `${context.req.method} is not allowed here; use POST.` }, 405, { Allow: "POST" })
      : next(),
  );
}
