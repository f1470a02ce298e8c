import type { Hono } from "hono";
import type { BodyOf, QueryOf, ResponseOf, Route } from "../../contract/model/route.ts";
import { requireScope } from "../../domain/model/access.ts";
import type { Caller } from "../../domain/model/entities.ts";
import { forbidden, invalid, unauthenticated } from "../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../domain/model/limits.ts";
import type { KnownSession } from "../../domain/people/ports.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";
import { authenticateBearer } from "../http/bearer.ts";
import { parseJson, type ReadBody } from "../http/body.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { FindSession } from "../http/session-cookie.ts";
import { validate } from "../http/validation.ts";
import type { ServeLive, ServePortalSocket, ServeVersion } from "./live/serve-live.ts";

export interface Environment {
  Bindings: {
    /** Whose request it is, for limits. */
    address: string;
    serveLive: ServeLive;
    serveVersion: ServeVersion;
    servePortalSocket: ServePortalSocket;
  };
  Variables: { requestId: string };
}

interface Guards {
  tokens: Pick<Tokens, "authenticate">;
  findSession: FindSession;
  rateLimit: RateLimit;
  readBody: ReadBody;
}

type Answer<R> = ResponseOf<R> | Response;

/** Puts the contract's routes on the host: each is checked as the contract says before its handler runs. */
export function createMount(app: Hono<Environment>, { tokens, findSession, rateLimit, readBody }: Guards) {
  /** For a route that needs no token and takes no input. */
  function open<R extends Route>(route: R, handle: () => Answer<R>): void {
    on(route, async () => handle());
  }

  /** For a route with a small JSON body or a query. The session is undefined where a token was presented. */
  function guarded<R extends Route>(
    route: R,
    handle: (caller: Caller, input: BodyOf<R> & QueryOf<R>, session: KnownSession | undefined) => Promise<Answer<R>>,
  ): void {
    streaming(route, async (caller, request, session) => {
      const query = validate(route.query, queryOf(request, route));
      const { maximumBytes = JSON_BODY_BYTES } = route;
      const body = route.method === "GET" ? {} : parseJson(await readBody(request, maximumBytes));
      // Both schemas are the route's own, so what they let through has its types.
      const input = Object.assign({}, query, validate(route.body, body)) as BodyOf<R> & QueryOf<R>;
      return handle(caller, input, session);
    });
  }

  /** For a route that reads its body by itself. */
  function streaming<R extends Route>(
    route: R,
    handle: (caller: Caller, request: Request, session: KnownSession | undefined) => Promise<Answer<R>>,
  ): void {
    on(route, async (request) => {
      const { caller, session } = await authenticate(route, request.headers);
      rateLimit(caller.credentialId);
      if (route.scope !== null) requireScope(caller, route.scope);
      return handle(caller, request, session);
    });
  }

  /** Lets in what bears a token, and counts it. */
  async function admit(headers: Headers): Promise<Caller> {
    const caller = await authenticateBearer(headers, tokens);
    rateLimit(caller.credentialId);
    return caller;
  }

  /** A token or else a session, never both: with any `Authorization` header the cookies are not looked at. */
  async function authenticate({ credential }: Route, headers: Headers) {
    const isForSessions = credential === "session";
    const hasToken = headers.has("authorization");
    if (isForSessions && hasToken) throw forbidden("This is for people who are signed in; a token will not do.");
    const session = hasToken ? undefined : await findSession(headers);
    if (session !== undefined) return { caller: session.caller, session };
    if (isForSessions) throw unauthenticated("You are not signed in.");
    return { caller: await authenticateBearer(headers, tokens), session };
  }

  function on<R extends Route>(route: R, answer: (request: Request) => Promise<Answer<R>>): void {
    app.on(route.method, route.path, async (context) => {
      const result = await answer(context.req.raw);
      return result instanceof Response ? result : Response.json(result);
    });
    refuseOtherMethods(route.path, route.method);
  }

  /** Comes after the one method that a path takes. */
  function refuseOtherMethods(path: string, method: Route["method"]): void {
    app.all(path, (context) => {
      const allowed = method === "GET" ? "GET, HEAD" : method;
      return context.json({ error: `${context.req.method} is not allowed here; use ${allowed}.` }, 405, {
        Allow: allowed,
      });
    });
  }

  return { open, guarded, streaming, admit, refuseOtherMethods };
}

export type Mount = ReturnType<typeof createMount>;

/** Returns whose share of the room for bodies a request uses: a token's, or, whatever the session, a user's. */
export const senderOf = ({ credentialId, userId }: Caller, session: KnownSession | undefined): string =>
  session === undefined ? credentialId : userId;

function queryOf(request: Request, { repeatable = [] }: Route): Record<string, string | string[]> {
  const parameters = new URL(request.url).searchParams;
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(parameters.keys())) {
    const [first = "", ...others] = parameters.getAll(name);
    if (repeatable.includes(name)) query[name] = [first, ...others];
    else if (others.length === 0) query[name] = first;
    else throw invalid(`The parameter ${JSON.stringify(name)} must be given once.`);
  }
  return query;
}
