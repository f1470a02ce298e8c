import { Hono } from "hono";
import { configRoute } from "../../contract/config.ts";
import type { Accounts } from "../../domain/accounts.ts";
import { randomText } from "../../domain/codes.ts";
import type { Filing } from "../../domain/filing.ts";
import type { Groups } from "../../domain/groups.ts";
import type { Addresses } from "../../domain/links.ts";
import type { Lists } from "../../domain/lists.ts";
import type { Clock, Events, PasswordHasher, Random, Store } from "../../domain/ports.ts";
import type { PrivateLinks } from "../../domain/private-links.ts";
import type { Publish } from "../../domain/publish.ts";
import type { Reports } from "../../domain/reports.ts";
import type { Tokens } from "../../domain/tokens.ts";
import type { Visibilities } from "../../domain/visibility.ts";
import { describeFailure, type Log } from "../failures.ts";
import { createSessionFinder } from "../session-cookie.ts";
import { mountAuth } from "./auth/mount.ts";
import { createSignIn } from "./auth/sign-in.ts";
import { createSignInLimit } from "./auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnParts } from "./auth/single-sign-on.ts";
import { mountFiling } from "./filing.ts";
import { mountGroups } from "./groups.ts";
import { mountLists } from "./lists.ts";
import { createMount, type Environment } from "./mount.ts";
import { mountPages, type PublicCodes } from "./pages.ts";
import { mountPublish } from "./publish.ts";
import { createRateLimit } from "./rate-limit.ts";
import { mountReports } from "./reports.ts";
import { checkSameOrigin, comesFromProgram } from "./same-origin.ts";
import { createUploadPreparer } from "./upload/preparer.ts";
import { mountVisibility } from "./visibility.ts";

export interface AppHostParts {
  addresses: Addresses;
  store: Pick<Store, "sessions" | "authRecords">;
  events: Events;
  /** Signs sessions and tickets. */
  secret: string;
  passwords: PasswordHasher;
  accounts: Pick<Accounts, "setUp" | "maySetUp">;
  identities: SingleSignOnParts["identities"];
  /** Undefined: no single sign-on. */
  oidc: SingleSignOnParts["provider"] | undefined;
  /** API requests a minute and token; 0 means no limit. */
  rateLimit: number;
  tokens: Pick<Tokens, "authenticate">;
  publish: Publish;
  groups: Groups;
  reports: Reports;
  visibilities: Visibilities;
  filing: Filing;
  lists: Lists;
  publicCodes: PublicCodes;
  privateLinks: Pick<PrivateLinks, "open">;
  /** The OpenAPI document as JSON text. */
  openApi(): Promise<string>;
  clock: Clock;
  random: Random;
  log: Log;
}

const API_PATH = /^\/api(?:\/|$)/;

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
  const preparer = createUploadPreparer();
  const findSession = createSessionFinder(parts);

  app.use(async (context, next) => {
    const requestId = randomText(random, 16);
    context.set("requestId", requestId);
    // Else the Host header is none, which is to be refused (RFC 9112 §3.2).
    if (URL.canParse(context.req.url)) await next();
    else context.res = Response.json({ error: "The Host header is not valid." }, { status: 400 });
    const { headers } = context.res;
    headers.set("X-Request-Id", requestId);
    if (!API_PATH.test(context.req.path)) return;
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
    if (AUTH_PATH.test(context.req.path) || !comesFromProgram(raw)) checkSameOrigin(raw, addresses.baseUrl);
    await next();
  });

  const mount = createMount(app, {
    tokens: parts.tokens,
    findSession,
    rateLimit: createRateLimit(parts.rateLimit, parts.clock),
  });
  const signIn = createSignIn({ ...parts, records: parts.store.authRecords });
  mountAuth(app, mount, { ...parts, findSession, signIn, signInLimit: createSignInLimit(parts.clock) });
  if (parts.oidc !== undefined) {
    mountSingleSignOn(app, mount, { ...parts, provider: parts.oidc, signIn, limit: createSignInLimit(parts.clock) });
  }
  mountPublish(mount, parts.publish, preparer);
  mountLists(mount, parts.lists);
  mountGroups(mount, parts.groups);
  mountReports(mount, parts.reports);
  mountVisibility(mount, parts.visibilities);
  mountFiling(mount, parts.filing);
  mount.open(configRoute, () => ({ publicBaseUrl: addresses.contentUrl }));
  app.get("/api/openapi.json", async () => {
    return new Response(await parts.openApi(), { headers: { "Content-Type": "application/json" } });
  });
  mount.refuseOtherMethods("/api/openapi.json", "GET");
  app.on("ALL", ["/api", "/api/*"], (context) => context.json({ error: "There is no such endpoint." }, 404));
  mountPages(app, { ...parts, findSession, hasSingleSignOn: parts.oidc !== undefined });

  /** `address` is whose request it is. */
  const fetch = (request: Request, address: string) => app.fetch(headAsGet(request), { address });
  return { fetch, stop: preparer.stop };
}

/** The server leaves the body of an answer to HEAD out by itself, and says the length that GET's would have. */
const headAsGet = (request: Request) =>
  request.method === "HEAD" && URL.canParse(request.url) ? new Request(request, { method: "GET" }) : request;
