import { Hono, type HonoRequest } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { randomText } from "../../domain/model/codes.ts";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { Addresses, Links } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { ReleaseFiles } from "../../domain/model/release-files.ts";
import type { AuthRecords, PasswordHasher, SessionStore } from "../../domain/people/ports.ts";
import type { Services } from "../../domain/services.ts";
import type { Log } from "../../observability/log.ts";
import type { Origins } from "../../observability/origins.ts";
import type { Readiness } from "../../observability/readiness.ts";
import type { ObserveRequest } from "../../observability/requests.ts";
import type { Tracing } from "../../observability/tracing/trace-context.ts";
import type { Threads } from "../../threads/threads.ts";
import { createBodyReader } from "../http/body.ts";
import type { ComparePages } from "../http/changes/compare-thread.ts";
import { compressedText } from "../http/compression.ts";
import { describeFailure } from "../http/failures.ts";
import type { CollectMetrics } from "../http/metrics.ts";
import type { BearsToken } from "../http/operator-token.ts";
import { visitor } from "../http/origin.ts";
import { wantsPage } from "../http/pages.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { answerLive } from "../http/ready.ts";
import { checkSameOrigin, comesFromProgram } from "../http/same-origin.ts";
import { createSessionFinder, type FindSession } from "../http/session-cookie.ts";
import type { ServeShellFile } from "../http/shell-files.ts";
import * as capabilities from "./capabilities.ts";
import { mountPortalSocket } from "./live/portal-socket.ts";
import { type AnswerMcp, isForMcp, mountMcp } from "./mcp/mcp.ts";
import { createMount, type Environment, type RequestSender, unknownEndpoint } from "./mount.ts";
import { isForOAuth, mountOAuth } from "./oauth/endpoints.ts";
import { createOAuthLimit } from "./oauth/limit.ts";
import type { ServerFacts } from "./operations/server.ts";
import { headersWith, mountPages } from "./pages.ts";
import { mountAuth } from "./people/auth/mount.ts";
import { createSignIn } from "./people/auth/sign-in.ts";
import { createSignInLimit } from "./people/auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnDependencies } from "./people/auth/single-sign-on.ts";
import type { Portal } from "./portal/files.ts";
import type { PublicCodes } from "./private-links/version-links.ts";
import { createUploadPreparer } from "./publishing/upload/preparer.ts";
import { routeOf } from "./route-of.ts";
import { settleChanges } from "./settling.ts";

export interface AppHostDependencies {
  services: Services;
  addresses: Addresses;
  links: Links;
  store: { people: SessionStore & AuthRecords };
  events: Events;
  gossip: Gossip;
  readiness: Pick<Readiness, "isReady" | "report">;
  bearsMetricsToken: BearsToken;
  /** Undefined if metrics are not on this host. */
  collectMetrics: CollectMetrics | undefined;
  /** Undefined if requests are neither counted, logged nor traced. */
  observeRequest: ObserveRequest | undefined;
  tracing: Pick<Tracing, "begin" | "run" | "headers">;
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
  serveShellFile: ServeShellFile;
  releaseFiles: ReleaseFiles;
  /** Reads the npm package of the command line. */
  readCliPackage(): Promise<Blob>;
  /** The OpenAPI document as JSON text. */
  openApi(): Promise<string>;
  clock: Clock;
  wait(milliseconds: number): Promise<void>;
  random: Random;
  threads: Threads;
  comparePages: ComparePages;
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
export function createAppHost(dependencies: AppHostDependencies) {
  const { addresses, random, log, observeRequest, tracing, origins } = dependencies;
  // The default router finds routes 2 µs faster, but the first request would wait 20 ms for its expression.
  const app = new Hono<Environment>({ router: new TrieRouter() });
  const preparer = createUploadPreparer(dependencies.threads);
  const senders = new WeakMap<Headers, RequestSender>();
  const noteSender = (headers: Headers, sender: RequestSender) => void senders.set(headers, sender);
  const findSession = noteSessions(createSessionFinder(dependencies), noteSender);
  const readBody = createBodyReader(dependencies.clock);

  app.use(async (context, next) => {
    const requestId = randomText(random, 16);
    const startedAt = observeRequest && performance.now();
    const { method, headers: sent } = context.req.raw;
    const trace = tracing.begin(sent);
    context.set("requestId", requestId);
    // An invalid Host header must be rejected (RFC 9112 §3.2).
    if (URL.canParse(context.req.url)) {
      await origins.run(visitor(requestId, context.env.address), () => tracing.run(trace, next));
    } else
      context.res = Response.json(
        { error: "The Host header isn't valid. Send the host name of this server." },
        { status: 400 },
      );
    const { headers } = context.res;
    headers.set("X-Request-Id", requestId);
    if (observeRequest && startedAt !== undefined) {
      const duration = performance.now() - startedAt;
      // Hono has a response even for a request that has become a socket.
      const status = context.res.status === 200 && sent.has("upgrade") ? 101 : context.res.status;
      observeRequest({ ...routeOf(context), method, status, duration, requestId, ...senders.get(sent), trace });
    }
    const isData = headers.get("content-type")?.startsWith("application/json") ?? false;
    if (!isData && !isForApi(context.req) && !isForMcp(context.req)) return;
    // Pages, such as the callback of single sign-on, set their own headers.
    for (const [name, value] of Object.entries(API_HEADERS)) if (!headers.has(name)) headers.set(name, value);
  });

  app.onError((error, context) => {
    const { status, message, headers } = describeFailure(error, context.get("requestId"), log);
    return Response.json({ error: message }, { status, headers });
  });

  app.use(settleChanges(dependencies.events));

  app.use(async (context, next) => {
    const { raw } = context.req;
    // A program without a token passes here, so that the endpoint can say that it needs one. Sign-in is for browsers only.
    const isProgram = comesFromProgram(raw) && !AUTH_PATH.test(context.req.path);
    // MCP and the endpoints of OAuth ignore cookies, so other sites cannot use them.
    if (!isProgram && !isForMcp(context.req) && !isForOAuth(context.req)) checkSameOrigin(raw, addresses.baseUrl);
    await next();
  });

  const mount = createMount(app, {
    tokens: dependencies.services.tokens,
    findSession,
    rateLimit: createRateLimit(dependencies.rateLimit, dependencies),
    readBody,
    noteSender,
    origins,
    random,
  });
  const signInLimit = (topic: string) => createSignInLimit({ ...dependencies, topic });
  const signIn = createSignIn({ ...dependencies, records: dependencies.store.people });
  mountAuth(app, mount, {
    ...dependencies,
    ...dependencies.services,
    ...dependencies.services.people,
    findSession,
    readBody,
    signIn,
    signInLimit: signInLimit("sign-in"),
  });
  if (dependencies.oidc !== undefined) {
    mountSingleSignOn(app, mount, {
      ...dependencies,
      ...dependencies.services.people,
      findSession,
      provider: dependencies.oidc,
      readBody,
      signIn,
      limit: signInLimit("single-sign-on"),
    });
  }
  const oauthLimit = createOAuthLimit(dependencies);
  const mounted = { ...dependencies, ...dependencies.services, preparer, readBody, oauthLimit };
  for (const capability of Object.values(capabilities)) capability.mountRoutes(mount, mounted);
  app.get("/api/openapi.json", async ({ req }) => {
    const headers = new Headers({ "Content-Type": "application/json" });
    return compressedText(req.raw.headers, await dependencies.openApi(), { status: 200, headers });
  });
  mount.refuseOtherMethods("/api/openapi.json", "GET");
  app.on("ALL", ["/api", "/api/*"], (context, next) => {
    if (isForApi(context.req)) throw unknownEndpoint();
    return next();
  });
  mountMcp(app, mount, { ...dependencies, readBody });
  mountOAuth(app, { ...mounted });
  mountPortalSocket(app, mount, { findSession, answerLive: () => answerLive(headersWith) });
  mountPages(app, {
    ...mounted,
    ...dependencies.services.people,
    liveReaders: dependencies.services.privateLinks.readers,
    findSession,
    hasSingleSignOn: dependencies.oidc !== undefined,
  });

  const fetch = (request: Request, environment: Environment["Bindings"]) => app.fetch(headAsGet(request), environment);
  return { fetch, waitingUploads: preparer.waiting, stop: preparer.stop };
}

/** Returns the finder of sessions, which also tells whose session a request has. */
const noteSessions =
  (findSession: FindSession, noteSender: (headers: Headers, sender: RequestSender) => void): FindSession =>
  async (headers) => {
    const session = await findSession(headers);
    if (session !== undefined) noteSender(headers, { userId: session.caller.userId, tokenId: undefined });
    return session;
  };

function isForApi({ path, method, raw: { headers } }: HonoRequest): boolean {
  if (!API_PATH.test(path)) return false;
  const isForLiveLink = method === "GET" && LIVE_PATH_OF_API.test(path);
  return !isForLiveLink || !(wantsPage(headers) || path.includes("~"));
}

/** Turns HEAD into GET. Bun omits the body and keeps the length. */
const headAsGet = (request: Request) =>
  request.method === "HEAD" && URL.canParse(request.url) ? new Request(request, { method: "GET" }) : request;
