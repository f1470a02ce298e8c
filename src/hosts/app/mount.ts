import type { Hono } from "hono";
import type { BodyOf, QueryOf, Route } from "../../contract/model/route.ts";
import { requireScope } from "../../domain/model/access.ts";
import type { Caller } from "../../domain/model/entities.ts";
import { forbidden, invalid, notFound, unauthenticated } from "../../domain/model/failure.ts";
import { JSON_BODY_BYTES } from "../../domain/model/limits.ts";
import type { Random } from "../../domain/model/ports.ts";
import { quote } from "../../domain/model/quote.ts";
import type { KnownSession } from "../../domain/people/ports.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";
import type { Origins } from "../../observability/origins.ts";
import { authenticateBearer } from "../http/bearer.ts";
import { parseJson, type ReadBody } from "../http/body.ts";
import { withCaller } from "../http/origin.ts";
import type { RateLimit } from "../http/rate-limit.ts";
import type { FindSession } from "../http/session-cookie.ts";
import { validate } from "../http/validation.ts";
import { type Answer, createAnswers } from "./answers.ts";
import type { ServeLive, ServePortalSocket, ServeSiblings, ServeVersion } from "./live/serve-live.ts";
import type { ServeGuest } from "./sharing/serve-guest.ts";

export interface Environment {
  Bindings: {
    /** The client's address, for limits. */
    address: string;
    serveLive: ServeLive;
    serveVersion: ServeVersion;
    serveSiblings: ServeSiblings;
    servePortalSocket: ServePortalSocket;
    serveGuest: ServeGuest;
  };
  Variables: { requestId: string };
}

/** Who sent a request, for its line in the log. */
export interface RequestSender {
  userId: string;
  /** Undefined for a session. */
  tokenId: string | undefined;
}

interface Guards {
  tokens: Pick<Tokens, "authenticate">;
  findSession: FindSession;
  rateLimit: RateLimit;
  readBody: ReadBody;
  /** Receives who sent the request with these headers. */
  noteSender(headers: Headers, sender: RequestSender): void;
  origins: Origins;
  random: Random;
}

/** Mounts routes of the contract. Each request is validated against the contract before its handler runs. */
export function createMount(app: Hono<Environment>, guards: Guards) {
  const { tokens, findSession, rateLimit, readBody, noteSender, origins } = guards;
  const respond = createAnswers(guards.random);

  /** Mounts a route that requires no authentication and takes no input. */
  function open<R extends Route>(route: R, handle: () => Answer<R>): void {
    on(route, async () => handle());
  }

  /** Mounts a route with a query that requires no authentication. */
  function openWithQuery<R extends Route>(route: R, handle: (query: QueryOf<R>) => Promise<Answer<R>>): void {
    // The cast is safe, because the schema belongs to the route.
    on(route, async (request) => handle(validate(route.query, queryOf(request, route)) as QueryOf<R>));
  }

  /** Mounts a route with a query or a small JSON body. `session` is undefined if the request has an access token. */
  function guarded<R extends Route>(
    route: R,
    handle: (
      caller: Caller,
      input: BodyOf<R> & QueryOf<R>,
      session: KnownSession | undefined,
      headers: Headers,
    ) => Promise<Answer<R>>,
  ): void {
    streaming(route, async (caller, request, session) => {
      const query = validate(route.query, queryOf(request, route));
      const { maximumBytes = JSON_BODY_BYTES } = route;
      const body = route.method === "GET" ? {} : parseJson(await readBody(request, maximumBytes));
      // The cast is safe, because both schemas belong to the route.
      const input = Object.assign({}, query, validate(route.body, body)) as BodyOf<R> & QueryOf<R>;
      return handle(caller, input, session, request.headers);
    });
  }

  /** Mounts a route whose handler reads the body. */
  function streaming<R extends Route>(
    route: R,
    handle: (caller: Caller, request: Request, session: KnownSession | undefined) => Promise<Answer<R>>,
  ): void {
    on(route, async (request) => {
      const { caller, session } = await authenticate(route, request.headers);
      rateLimit(caller.credentialId);
      if (route.isForOperators && !caller.isOperator) throw unknownEndpoint();
      if (route.scope !== null) requireScope(caller, route.scope);
      return origins.run(withCaller(origins.current(), caller, session), () => handle(caller, request, session));
    });
  }

  /** Authenticates an access token and counts the request against its rate limit. */
  async function admit(headers: Headers): Promise<Caller> {
    const caller = await authenticateToken(headers);
    rateLimit(caller.credentialId);
    return caller;
  }

  /** Authenticates by access token or session, never both: an `Authorization` header makes cookies irrelevant. */
  async function authenticate({ credential }: Route, headers: Headers) {
    const isForSessions = credential === "session";
    const hasToken = headers.has("authorization");
    if (isForSessions && hasToken)
      throw forbidden(
        "This endpoint requires a browser session; access tokens aren't accepted. Sign in to the portal instead.",
      );
    const session = hasToken ? undefined : await findSession(headers);
    if (session !== undefined) return { caller: session.caller, session };
    if (isForSessions) throw unauthenticated("You aren't signed in. Sign in and try again.");
    return { caller: await authenticateToken(headers), session };
  }

  async function authenticateToken(headers: Headers): Promise<Caller> {
    const caller = await authenticateBearer(headers, tokens);
    noteSender(headers, { userId: caller.userId, tokenId: caller.credentialId });
    return caller;
  }

  function on<R extends Route>(route: R, answer: (request: Request) => Promise<Answer<R>>): void {
    app.on(route.method, route.path, async (context) => {
      const request = context.req.raw;
      return respond(route, request.headers, await answer(request));
    });
    refuseOtherMethods(route.path, route.method);
  }

  /** Answers other methods with 405. Call it after mounting the path's one method. */
  function refuseOtherMethods(path: string, method: Route["method"]): void {
    app.all(path, (context) => {
      const allowed = method === "GET" ? "GET, HEAD" : method;
      return context.json({ error: `${context.req.method} isn't supported here. Use ${allowed}.` }, 405, {
        Allow: allowed,
      });
    });
  }

  return { open, openWithQuery, guarded, streaming, admit, refuseOtherMethods };
}

export type Mount = ReturnType<typeof createMount>;

/** Returns the failure for paths of the API that don't exist, for this caller. */
export const unknownEndpoint = () => notFound("Unknown endpoint. Check the path against the API reference at /-/docs.");

/** Returns the sender whose share of the body budget a request uses: the access token, or the user of a session. */
export const senderOf = ({ credentialId, userId }: Caller, session: KnownSession | undefined): string =>
  session === undefined ? credentialId : userId;

/** Returns the parameters of a request. Throws `Invalid` if one is repeated that may not be. */
export function queryOf(request: Request, { repeatable = [] }: Route): Record<string, string | string[]> {
  const parameters = new URL(request.url).searchParams;
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(parameters.keys())) {
    const [first = "", ...others] = parameters.getAll(name);
    if (repeatable.includes(name)) query[name] = [first, ...others];
    else if (others.length === 0) query[name] = first;
    else throw invalid(`The query parameter ${quote(name)} occurs more than once. Send it once.`);
  }
  return query;
}
