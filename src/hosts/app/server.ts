import { Hono, type HonoRequest } from "hono";
import { configRoute } from "../../contract/config.ts";
import type { Account } from "../../domain/account.ts";
import type { Accounts } from "../../domain/accounts.ts";
import type { Cabinet } from "../../domain/cabinet.ts";
import { randomText } from "../../domain/codes.ts";
import type { Deletions } from "../../domain/deletions.ts";
import type { Details } from "../../domain/details.ts";
import type { Events, Gossip } from "../../domain/event-ports.ts";
import type { Filing } from "../../domain/filing.ts";
import type { Groups } from "../../domain/groups.ts";
import type { Invitations } from "../../domain/invitations.ts";
import type { Items } from "../../domain/items.ts";
import type { Addresses, Links } from "../../domain/links.ts";
import type { Lists } from "../../domain/lists.ts";
import type { Live } from "../../domain/live.ts";
import type { LiveReaders } from "../../domain/live-readers.ts";
import type { Members } from "../../domain/members.ts";
import type { Organizations } from "../../domain/organizations.ts";
import type { Clock, PasswordHasher, Random, Store } from "../../domain/ports.ts";
import type { PrivateLinks } from "../../domain/private-links.ts";
import type { Publish } from "../../domain/publish.ts";
import type { Readiness } from "../../domain/readiness.ts";
import type { Reading } from "../../domain/reading.ts";
import type { Reports } from "../../domain/reports.ts";
import type { SearchService } from "../../domain/search.ts";
import type { Sessions } from "../../domain/sessions.ts";
import type { Shortcuts } from "../../domain/shortcuts.ts";
import type { SignUp } from "../../domain/sign-up.ts";
import type { Tags } from "../../domain/tags.ts";
import type { Tokens } from "../../domain/tokens.ts";
import type { Visibilities } from "../../domain/visibility.ts";
import type { Log } from "../../observability/log.ts";
import type { Threads } from "../../threads/threads.ts";
import { describeFailure } from "../failures.ts";
import { wantsPage } from "../pages.ts";
import { createSessionFinder } from "../session-cookie.ts";
import { mountAccount } from "./account.ts";
import { mountAuth } from "./auth/mount.ts";
import { createSignIn } from "./auth/sign-in.ts";
import { createSignInLimit } from "./auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnParts } from "./auth/single-sign-on.ts";
import { createBodyReader } from "./body.ts";
import { mountCabinet } from "./cabinet.ts";
import { mountDetails } from "./details.ts";
import { mountFiling } from "./filing.ts";
import { mountGroups } from "./groups.ts";
import { mountInvitations } from "./invitations.ts";
import { mountItems } from "./items.ts";
import { mountLists } from "./lists.ts";
import { type AnswerMcp, isForMcp, mountMcp } from "./mcp.ts";
import { mountMembers } from "./members.ts";
import { createMount, type Environment } from "./mount.ts";
import { mountOrganizations } from "./organizations.ts";
import { mountPages, type PublicCodes } from "./pages.ts";
import type { Portal } from "./portal/files.ts";
import { mountPortalSocket } from "./portal-socket.ts";
import { mountPublish } from "./publish.ts";
import { createRateLimit } from "./rate-limit.ts";
import { mountReports } from "./reports.ts";
import { checkSameOrigin, comesFromProgram } from "./same-origin.ts";
import { mountSearch } from "./search.ts";
import { mountSessions } from "./sessions.ts";
import { mountShortcuts } from "./shortcuts.ts";
import { mountTags } from "./tags.ts";
import { mountTokens } from "./tokens.ts";
import { createUploadPreparer } from "./upload/preparer.ts";
import { mountVisibility } from "./visibility.ts";

export interface AppHostParts {
  addresses: Addresses;
  store: Pick<Store, "sessions" | "authRecords">;
  events: Events;
  gossip: Gossip;
  readiness: Pick<Readiness, "isReady" | "report">;
  /** Signs sessions and tickets. */
  secret: string;
  passwords: PasswordHasher;
  accounts: Pick<Accounts, "setUp" | "maySetUp">;
  identities: SingleSignOnParts["identities"];
  /** Undefined: no single sign-on. */
  oidc: SingleSignOnParts["provider"] | undefined;
  /** API requests a minute and token; 0 means no limit. */
  rateLimit: number;
  tokens: Pick<Tokens, "authenticate" | "listOwn" | "createOwn" | "revokeOwn" | "revokeAllOwn">;
  account: Account;
  sessions: Sessions;
  publish: Publish;
  groups: Groups;
  details: Details;
  reading: Pick<Reading, "open">;
  reports: Reports;
  visibilities: Visibilities;
  filing: Filing;
  cabinet: Cabinet;
  tags: Tags;
  items: Items;
  deletions: Deletions;
  shortcuts: Shortcuts;
  lists: Lists;
  search: SearchService;
  links: Links;
  signUp: SignUp;
  organizations: Organizations;
  members: Members;
  invitations: Invitations;
  publicCodes: PublicCodes;
  privateLinks: Pick<PrivateLinks, "open">;
  live: Pick<Live, "find" | "anyone">;
  liveReaders: LiveReaders;
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
    tokens: parts.tokens,
    findSession,
    rateLimit: createRateLimit(parts.rateLimit, parts),
    readBody,
  });
  const signInLimit = (topic: string) => createSignInLimit({ ...parts, topic });
  const signIn = createSignIn({ ...parts, records: parts.store.authRecords });
  mountAuth(app, mount, { ...parts, findSession, readBody, signIn, signInLimit: signInLimit("sign-in") });
  if (parts.oidc !== undefined) {
    mountSingleSignOn(app, mount, {
      ...parts,
      findSession,
      provider: parts.oidc,
      readBody,
      signIn,
      limit: signInLimit("single-sign-on"),
    });
  }
  mountPublish(mount, { publish: parts.publish, preparer, readBody });
  mountLists(mount, parts.lists);
  mountSearch(mount, parts.search, parts.links);
  mountGroups(mount, parts.groups);
  mountDetails(mount, parts);
  mountReports(mount, parts.reports);
  mountVisibility(mount, parts.visibilities);
  mountFiling(mount, parts.filing);
  mountOrganizations(mount, parts.organizations);
  mountMembers(mount, parts.members);
  mountInvitations(mount, parts.invitations, addresses);
  mountCabinet(mount, parts.cabinet);
  mountTags(mount, parts.tags);
  mountItems(mount, parts.items, parts.deletions);
  mountShortcuts(mount, parts.shortcuts);
  mountAccount(mount, parts);
  mountTokens(mount, parts);
  mountSessions(mount, parts.sessions);
  mount.open(configRoute, () => ({ publicBaseUrl: addresses.contentUrl }));
  app.get("/api/openapi.json", async () => {
    return new Response(await parts.openApi(), { headers: { "Content-Type": "application/json" } });
  });
  mount.refuseOtherMethods("/api/openapi.json", "GET");
  app.on("ALL", ["/api", "/api/*"], (context, next) =>
    isForApi(context.req) ? context.json({ error: "There is no such endpoint." }, 404) : next(),
  );
  mountMcp(app, mount, { ...parts, readBody });
  mountPortalSocket(app, mount, findSession);
  mountPages(app, { ...parts, findSession, hasSingleSignOn: parts.oidc !== undefined });

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
