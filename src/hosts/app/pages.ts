import type { Context, Hono } from "hono";
import type { Live } from "../../domain/live/live.ts";
import { unauthenticated } from "../../domain/model/failure.ts";
import { CODE_PATTERN, INDEX_FILE } from "../../domain/model/names.ts";
import type { ReleaseFiles } from "../../domain/model/release-files.ts";
import type { Accounts } from "../../domain/people/accounts.ts";
import type { LiveReaders } from "../../domain/private-links/live-readers.ts";
import type { PrivateLinks } from "../../domain/private-links/private-links.ts";
import type { Seen } from "../../domain/seen/seen.ts";
import { ICON_PATHS, iconResponse } from "../http/icon.ts";
import { answerMetrics, type CollectMetrics, METRICS_PATH } from "../http/metrics.ts";
import {
  HOME,
  htmlResponse,
  localPath,
  missing,
  missingReport,
  redirectTo,
  refuseProgram,
  scriptedResponse,
  signInOrRefuse,
  toRequestPage,
} from "../http/page-responses.ts";
import { wantsPage } from "../http/pages.ts";
import { answerReady, READY_PATH, type ReadyDependencies } from "../http/ready.ts";
import { type ServeShellFile, SHELL_PATH } from "../http/shell-files.ts";
import { mountAgentPages } from "./agents/mount.ts";
import { mountDownloads } from "./downloads/mount.ts";
import { mountLiveLinks } from "./live/live-links.ts";
import type { Environment } from "./mount.ts";
import { OAUTH_PATHS } from "./oauth/metadata.ts";
import { mountOAuthPages, type OAuthPagesDependencies, openedByApp } from "./oauth/pages.ts";
import { setUpOverPage, setUpPage, signInPage } from "./people/account-pages.ts";
import { mountPeoplePages, type PeoplePagesDependencies } from "./people/pages.ts";
import type { Portal } from "./portal/files.ts";
import { mountPortal } from "./portal/mount.ts";
import { mountGuestPages } from "./sharing/guest-pages.ts";

/** Returns whether a code belongs to a public report. */
export type PublicCodes = (code: string) => Promise<boolean>;

/** The path after a version link under which its page loads the report's other versions. */
const SIBLINGS = "~versions";
/** `/{code}`, `/{code}/`, `/{code}/{file}` or `/{code}/~versions`. */
const REPORT_PATH = /^\/([0-9A-Za-z]{16})(?:(\/)(~versions|[A-Za-z0-9._-]*))?$/;

interface PagesDependencies extends PeoplePagesDependencies, ReadyDependencies, OAuthPagesDependencies {
  portal: Portal;
  serveShellFile: ServeShellFile;
  releaseFiles: ReleaseFiles;
  readCliPackage(): Promise<Blob>;
  publicCodes: PublicCodes;
  privateLinks: Pick<PrivateLinks, "open">;
  live: Pick<Live, "find" | "anyone">;
  seen: Pick<Seen, "noteRefusal">;
  liveReaders: LiveReaders;
  accounts: Pick<Accounts, "maySetUp">;
  hasSingleSignOn: boolean;
  /** Undefined if metrics are not on this host. */
  collectMetrics: CollectMetrics | undefined;
}

const PROGRAM_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Returns the headers of answers to programs, such as load balancers. */
export const headersWith = (extra: Record<string, string>) => ({ ...PROGRAM_HEADERS, ...extra });

/** Mounts the pages of this host outside the API. */
export function mountPages(app: Hono<Environment>, parts: PagesDependencies): void {
  const { addresses, publicCodes, privateLinks, liveReaders, accounts, signUp, findSession, hasSingleSignOn, random } =
    parts;
  const { baseUrl, contentUrl } = addresses;
  const canResetPassword = parts.passwordResets.sendsMail;

  const scripted = (build: (nonce: string) => string) => scriptedResponse(random, build);

  // Redirects browsers to `baseUrl`, because cookies and the origin check depend on its host name.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const isElsewhere = url.host !== new URL(baseUrl).host && context.req.method === "GET";
    if (isElsewhere && wantsPage(context.req.raw.headers)) return redirectTo(baseUrl + url.pathname + url.search);
    return next();
  });

  app.get("/", async (context) => {
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + HOME);
    return scripted((nonce) => signInPage(nonce, HOME, { signUp, hasSingleSignOn, canResetPassword }));
  });

  app.get("/-/sign-in", async (context) => {
    const next = localPath(context.req.query("next"), baseUrl);
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + next);
    const page = scripted((nonce) => signInPage(nonce, next, { signUp, hasSingleSignOn, canResetPassword }));
    return next.startsWith(OAUTH_PATHS.authorize) ? openedByApp(page) : page;
  });

  app.get("/-/set-up", async (context) => {
    const token = context.req.query("token") ?? "";
    const isOpen = await accounts.maySetUp(token);
    return isOpen ? scripted((nonce) => setUpPage(nonce, token)) : htmlResponse(setUpOverPage(), 404);
  });

  app.get(READY_PATH, ({ req, env }) => {
    const question = { url: new URL(req.url), headers: req.raw.headers, address: env.address };
    return answerReady(parts, question, headersWith);
  });

  const { collectMetrics, bearsMetricsToken } = parts;
  if (collectMetrics !== undefined) {
    // Without the token, this path is answered as if it did not exist.
    app.get(METRICS_PATH, ({ req: { raw } }, next) =>
      bearsMetricsToken(raw.headers) ? answerMetrics(collectMetrics, raw.headers) : next(),
    );
  }

  for (const path of Object.values(ICON_PATHS)) {
    // Sandboxed pages have an opaque origin, so their icon is cross-origin.
    app.get(path, () =>
      iconResponse(path, (extra) => headersWith({ "Cross-Origin-Resource-Policy": "cross-origin", ...extra })),
    );
  }

  app.get(`${SHELL_PATH}*`, ({ req }) => parts.serveShellFile(req.raw, req.path) ?? missing());

  mountAgentPages(app, { baseUrl, headersWith });
  mountPeoplePages(app, parts);
  mountDownloads(app, parts);
  mountOAuthPages(app, parts);
  mountPortal(app, parts);
  mountGuestPages(app, { baseUrl });
  mountLiveLinks(app, { ...parts, baseUrl });

  app.get("*", async (context) => {
    const [, code = "", slash, file = ""] = REPORT_PATH.exec(context.req.path) ?? [];
    if (!CODE_PATTERN.test(code)) return nothingFor(context.req.raw.headers);
    if (file === SIBLINGS) return openSiblings(context, code);
    const { search } = new URL(context.req.url);
    const requesting = toRequestPage(search, { code });
    if (requesting !== undefined) return requesting;
    if (await publicCodes(code)) return redirectTo(`${contentUrl}/${code}/${file}${search}`);
    return openPrivate(context, { code, file, search, hasSlash: slash !== undefined });
  });

  app.notFound(missing);

  /** Answers paths that cannot be a report as reports that the client cannot access. */
  async function nothingFor(headers: Headers): Promise<Response> {
    if (headers.has("authorization") || (await findSession(headers)) === undefined) refuseProgram(headers);
    return missing();
  }

  async function openSiblings({ req, env }: Context<Environment>, code: string): Promise<Response> {
    const { headers } = req.raw;
    const session = headers.has("authorization") ? undefined : await findSession(headers);
    if (session === undefined) return nothingFor(headers);
    return env.serveSiblings({ code, reader: liveReaders.signedIn(session), missing });
  }

  async function openPrivate(context: Context<Environment>, requested: RequestedFile): Promise<Response> {
    const { headers } = context.req.raw;
    const { code, file, search, hasSlash } = requested;
    if (headers.has("authorization"))
      throw unauthenticated(
        `This link only works in a browser. To read the report with an access token, request ${contentUrl}/${code}/.`,
      );
    const session = await findSession(headers);
    const own = `/${code}/${file}${search}`;
    if (session === undefined) return signInOrRefuse(headers, baseUrl, own);
    const opened = await privateLinks.open(code, session);
    if (opened === undefined) {
      parts.seen.noteRefusal({ code });
      return missingReport();
    }
    if (!hasSlash) return redirectTo(baseUrl + own);
    const { ticket, ...version } = opened;
    return context.env.serveVersion({ ...version, code, src: `${contentUrl}/${ticket}/${code}/${file || INDEX_FILE}` });
  }
}

interface RequestedFile {
  code: string;
  file: string;
  /** With its question mark, or empty. */
  search: string;
  hasSlash: boolean;
}
