import { Hono, type HonoRequest } from "hono";
import { randomText } from "../../domain/model/codes.ts";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { Addresses, Links } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { AuthRecords, PasswordHasher, SessionStore } from "../../domain/people/ports.ts";
import type { Services } from "../../domain/services.ts";
import type { Log } from "../../observability/log.ts";
import type { Readiness } from "../../observability/readiness.ts";
import type { Threads } from "../../threads/threads.ts";
import { createBodyReader } from "../http/body.ts";
import { describeFailure } from "../http/failures.ts";
import { wantsPage } from "../http/pages.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { checkSameOrigin, comesFromProgram } from "../http/same-origin.ts";
import { createSessionFinder } from "../http/session-cookie.ts";
import * as capabilities from "./capabilities.ts";
import { mountPortalSocket } from "./live/portal-socket.ts";
import { type AnswerMcp, isForMcp, mountMcp } from "./mcp/mcp.ts";
import { createMount, type Environment } from "./mount.ts";
import { mountPages, type PublicCodes } from "./pages.ts";
import { mountAuth } from "./people/auth/mount.ts";
import { createSignIn } from "./people/auth/sign-in.ts";
import { createSignInLimit } from "./people/auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnParts } from "./people/auth/single-sign-on.ts";
import type { Portal } from "./portal/files.ts";
import { createUploadPreparer } from "./publishing/upload/preparer.ts";

export interface AppHostParts {
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
  /** Undefined: no single sign-on. */
  oidc: SingleSignOnParts["provider"] | undefined;
  /** API requests a minute and token; 0 means no limit. */
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
}

const API_PATH = /^\/api(?:\/|$)/;
/** "api" is a name that a group can have, and then these are its link's. */
const LIVE_PATH_OF_API = /^\/api(?:\/|\/~[a-z]+)?$/;

const AUTH_PATH = /^\/api\/auth(?:\/|$)/;

const API_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** The application host: the API, and links that lead to published content. */
export function createAppHost(parts: AppHostParts) {
  const { addresses, random, log } = parts;
  const app = new Hono<Environment>();
  const preparer = createUploadPreparer(parts.threads);
  const findSession = createSessionFinder(parts);
  const readBody = createBodyReader(parts.clock);

  app.use(async (context, next) => {
    const requestId = randomText(random, 16);
    context.set("requestId", requestId);
    // Else the Host header is none, which is to be refused (RFC 9112 §3.2).
    if (URL.canParse(context.req.url)) await next();
    else context.res = Response.json({ error: "The Host header is not valid." }, { status: 400 });
    const { headers } = context.res;
    headers.set("X-Request-Id", requestId);
    const isData = headers.get("content-type")?.startsWith("application/json") ?? false;
    if (!isData && !isForApi(context.req) && !isForMcp(context.req)) return;
    // A page, to which a provider leads back, has its own.
    for (const [name, value] of Object.entries(API_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  });

  app.onError((error, context) => {
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    return Response.json({ error: message }, { status, headers });
  });

  app.use(async (context, next) => {
    const { raw } = context.req;
    // A program that forgot its token is told so by what it called; signing in is for browsers alone.
    const isProgram = comesFromProgram(raw) && !AUTH_PATH.test(context.req.path);
    // Where cookies count for nothing no other site can use them.
    if (!isProgram && !isForMcp(context.req)) checkSameOrigin(raw, addresses.baseUrl);
    await next();
    // A change counts as made when no copy of the program goes on as if it were not.
    if (raw.method !== "GET" && context.res.status < 500) await parts.events.settled();
  });

  const mount = createMount(app, {
    tokens: parts.services.tokens,
    findSession,
    rateLimit: createRateLimit(parts.rateLimit, parts),
    readBody,
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
  app.on("ALL", ["/api", "/api/*"], (context, next) =>
    isForApi(context.req) ? context.json({ error: "There is no such endpoint." }, 404) : next(),
  );
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

/** The server leaves the body of an answer to HEAD out by itself, and says the length that GET's would have. */
const headAsGet = (request: Request) =>
  request.method === "HEAD" && URL.canParse(request.url) ? new Request(request, { method: "GET" }) : request;
