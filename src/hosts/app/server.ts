import { Hono, type HonoRequest } from "hono";
import { configRoute } from "../../contract/publishing/config.ts";
import type { Cabinet } from "../../domain/cabinet/cabinet.ts";
import type { Filing } from "../../domain/cabinet/filing.ts";
import type { Items } from "../../domain/cabinet/items.ts";
import type { Shortcuts } from "../../domain/cabinet/shortcuts.ts";
import type { Tags } from "../../domain/cabinet/tags.ts";
import type { Live } from "../../domain/live/live.ts";
import { randomText } from "../../domain/model/codes.ts";
import type { Events, Gossip } from "../../domain/model/events.ts";
import type { Addresses, Links } from "../../domain/model/links.ts";
import type { Clock, Random } from "../../domain/model/ports.ts";
import type { Account } from "../../domain/people/account.ts";
import type { Accounts } from "../../domain/people/accounts.ts";
import type { Invitations } from "../../domain/people/invitations.ts";
import type { Members } from "../../domain/people/members.ts";
import type { Organizations } from "../../domain/people/organizations.ts";
import type { PasswordHasher, PeopleStore } from "../../domain/people/ports.ts";
import type { Sessions } from "../../domain/people/sessions.ts";
import type { SignUp } from "../../domain/people/sign-up.ts";
import type { LiveReaders } from "../../domain/private-links/live-readers.ts";
import type { PrivateLinks } from "../../domain/private-links/private-links.ts";
import type { Publish } from "../../domain/publishing/publish.ts";
import type { Reports } from "../../domain/reports/delete-code.ts";
import type { Deletions } from "../../domain/reports/deletions.ts";
import type { Details } from "../../domain/reports/details.ts";
import type { Groups } from "../../domain/reports/groups.ts";
import type { Lists } from "../../domain/reports/lists.ts";
import type { Reading } from "../../domain/reports/reading.ts";
import type { Visibilities } from "../../domain/reports/visibility.ts";
import type { SearchService } from "../../domain/search/search.ts";
import type { Tokens } from "../../domain/tokens/tokens.ts";
import type { Readiness } from "../../observability/readiness.ts";
import type { Threads } from "../../threads/threads.ts";
import { createBodyReader } from "../http/body.ts";
import { describeFailure, type Log } from "../http/failures.ts";
import { wantsPage } from "../http/pages.ts";
import { createRateLimit } from "../http/rate-limit.ts";
import { checkSameOrigin, comesFromProgram } from "../http/same-origin.ts";
import { createSessionFinder } from "../http/session-cookie.ts";
import { mountCabinet } from "./cabinet/cabinet.ts";
import { mountFiling } from "./cabinet/filing.ts";
import { mountItems } from "./cabinet/items.ts";
import { mountShortcuts } from "./cabinet/shortcuts.ts";
import { mountTags } from "./cabinet/tags.ts";
import { mountPortalSocket } from "./live/portal-socket.ts";
import { type AnswerMcp, isForMcp, mountMcp } from "./mcp/mcp.ts";
import { createMount, type Environment } from "./mount.ts";
import { mountPages, type PublicCodes } from "./pages.ts";
import { mountAccount } from "./people/account.ts";
import { mountAuth } from "./people/auth/mount.ts";
import { createSignIn } from "./people/auth/sign-in.ts";
import { createSignInLimit } from "./people/auth/sign-in-limit.ts";
import { mountSingleSignOn, type SingleSignOnParts } from "./people/auth/single-sign-on.ts";
import { mountInvitations } from "./people/invitations.ts";
import { mountMembers } from "./people/members.ts";
import { mountOrganizations } from "./people/organizations.ts";
import { mountSessions } from "./people/sessions.ts";
import type { Portal } from "./portal/files.ts";
import { mountPublish } from "./publishing/publish.ts";
import { createUploadPreparer } from "./publishing/upload/preparer.ts";
import { mountReports } from "./reports/delete-code.ts";
import { mountDetails } from "./reports/details.ts";
import { mountGroups } from "./reports/groups.ts";
import { mountLists } from "./reports/lists.ts";
import { mountVisibility } from "./reports/visibility.ts";
import { mountSearch } from "./search/search.ts";
import { mountTokens } from "./tokens/tokens.ts";

export interface AppHostParts {
  addresses: Addresses;
  store: { people: PeopleStore };
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
  const signIn = createSignIn({ ...parts, records: parts.store.people });
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
