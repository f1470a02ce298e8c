import { Hono, type HonoRequest } from "hono";
import { randomText } from "../../domain/model/codes.ts";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { Addresses, Links } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { AuthRecords, PasswordHasher, SessionStore } from "../../domain/people/ports.ts";
import type { Services } from "../../domain/services.ts";
import type { Log } from "../../observability/log.ts";
import type { Origins } from "../../observability/origins.ts";
import type { Readiness } from "../../observability/readiness.ts";
import type { Threads } from "../../threads/threads.ts";
import { createBodyReader } from "../http/body.ts";
import { describeFailure } from "../http/failures.ts";
import { visitor } from "../http/origin.ts";
import { wantsPage } from "../http/pages.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { checkSameOrigin, comesFromProgram } from "../http/same-origin.ts";
import { createSessionFinder } from "../http/session-cookie.ts";
import * as capabilities from "./capabilities.ts";
import { mountPortalSocket } from "./live/portal-socket.ts";
import { type AnswerMcp, isForMcp, mountMcp } from "./mcp/mcp.ts";
import { createMount, type Environment, unknownEndpoint } from "./mount.ts";
import type { ServerFacts } from "./operations/server.ts";
import { mountPages, type PublicCodes } from "./pages.ts";
import { mountAuth } from "./people/auth/mount.ts";
import { createSignIn } from "./people/auth/sign-in.ts";
import { createSignInLimit } from "./people/auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnDependencies } from "./people/auth/single-sign-on.ts";
import type { Portal } from "./portal/files.ts";
import { createUploadPreparer } from "./publishing/upload/preparer.ts";

export interface AppHostDependencies {
  services: Services;
  addresses: Addresses;
  links: Links;
  store: { people: SessionStore & AuthRecords };
  events: Events;
  gossip: Gossip;
  readiness: Pick<Readiness, "isReady" | "report">;
  /** Signs sessions and tickets. */
  secret: string;
  passwords: PasswordHasher;
  /** Undefined if single sign-on is off. */
  oidc: SingleSignOnDependencies["provider"] | undefined;
  /** API requests per minute and token; 0 means unlimited. */
  rateLimit: number;
  publicCodes: PublicCodes;
  answerMcp: AnswerMcp;
  portal: Portal;
  /** The OpenAPI document as JSON text. */
  openApi(): Promise<string>;
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
  random: Random;
  threads: Threads;
  log: Log;
  origins: Origins;
  server: ServerFacts;
}

const API_PATH = /^\/api(?:\/|$)/;
/** A report can be named "api". These paths are its live link's. */
const LIVE_PATH_OF_API = /^\/api(?:\/|\/~[a-z]+)?$/;

const AUTH_PATH = /^\/api\/auth(?:\/|$)/;

const API_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Creates the application host: the API, the portal, and links to published content. */
export function createAppHost(parts: AppHostDependencies) {
  const { addresses, random, log, origins } = parts;
  const app = new Hono<Environment>();
  const preparer = createUploadPreparer(parts.threads);
  const findSession = createSessionFinder(parts);
  const readBody = createBodyReader(parts.clock);

  app.use(async (context, next) => {
    const requestId = randomText(random, 16);
    context.set("requestId", requestId);
    // An invalid Host header must be rejected (RFC 9112 §3.2).
    if (URL.canParse(context.req.url)) await origins.run(visitor(requestId, context.env.address), next);
    else
      context.res = Response.json(
        { error: "The Host header isn't valid. Send the host name of this server." },
        { status: 400 },
      );
    const { headers } = context.res;
    headers.set("X-Request-Id", requestId);
    const isData = headers.get("content-type")?.startsWith("application/json") ?? false;
    if (!isData && !isForApi(context.req) && !isForMcp(context.req)) return;
    // Pages, such as the callback of single sign-on, set their own headers.
    for (const [name, value] of Object.entries(API_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  });

  app.onError((error, context) => {
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    return Response.json({ error: message }, { status, headers });
  });

  app.use(async (context, next) => {
    const { raw } = context.req;
    // A program without a token passes here, so that the endpoint can say that it needs one. Sign-in is for browsers only.
    const isProgram = comesFromProgram(raw) && !AUTH_PATH.test(context.req.path);
    // MCP ignores cookies, so other sites cannot use them.
    if (!isProgram && !isForMcp(context.req)) checkSameOrigin(raw, addresses.baseUrl);
    await next();
    // Waits until all replicas know of the change.
    if (raw.method !== "GET" && context.res.status < 500) await parts.events.settled();
  });

  const mount = createMount(app, {
    tokens: parts.services.tokens,
    findSession,
    rateLimit: createRateLimit(parts.rateLimit, parts),
    readBody,
    origins,
  });
  const signInLimit = (topic: string) => createSignInLimit({ ...parts, topic });
  const signIn = createSignIn({ ...parts, records: parts.store.people });
  mountAuth(app, mount, {
    ...parts,
    ...parts.services,
    ...parts.services.people,
    findSession,
    readBody,
    signIn,
    signInLimit: signInLimit("sign-in"),
  });
  if (parts.oidc !== undefined) {
    mountSingleSignOn(app, mount, {
      ...parts,
      ...parts.services.people,
      findSession,
      provider: parts.oidc,
      readBody,
      signIn,
      limit: signInLimit("single-sign-on"),
    });
  }
  const dependencies = { ...parts, ...parts.services, preparer, readBody };
  for (const capability of Object.values(capabilities)) capability.mountRoutes(mount, dependencies);
  app.get("/api/openapi.json", async () => {
    return new Response(await parts.openApi(), { headers: { "Content-Type": "application/json" } });
  });
  mount.refuseOtherMethods("/api/openapi.json", "GET");
  app.on("ALL", ["/api", "/api/*"], (context, next) => {
    if (isForApi(context.req)) throw unknownEndpoint();
    return next();
  });
  mountMcp(app, mount, { ...parts, readBody });
  mountPortalSocket(app, mount, findSession);
  mountPages(app, {
    ...parts,
    ...parts.services,
    ...parts.services.people,
    liveReaders: parts.services.privateLinks.readers,
    findSession,
    hasSingleSignOn: parts.oidc !== undefined,
  });

  const fetch = (request: Request, environment: Environment["Bindings"]) => app.fetch(headAsGet(request), environment);
  return { fetch, stop: preparer.stop };
}

function isForApi({ path, method, raw: { headers } }: HonoRequest): boolean {
  if (!API_PATH.test(path)) return false;
  const isForLiveLink = method === "GET" && LIVE_PATH_OF_API.test(path);
  return !isForLiveLink || !(wantsPage(headers) || path.includes("~"));
}

/** Turns HEAD into GET. Bun omits the body and keeps the length. */
const headAsGet = (request: Request) =>
  request.method === "HEAD" && URL.canParse(request.url) ? new Request(request, { method: "GET" }) : request;
