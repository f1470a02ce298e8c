import type { Context, Hono } from "hono";
import type { Accounts } from "../../domain/accounts.ts";
import { randomText } from "../../domain/codes.ts";
import { unauthenticated } from "../../domain/failure.ts";
import type { Addresses } from "../../domain/links.ts";
import { CODE_PATTERN, INDEX_FILE } from "../../domain/names.ts";
import type { Random } from "../../domain/ports.ts";
import type { PrivateLinks } from "../../domain/private-links.ts";
import { notFoundPage, PAGE_POLICY, scriptedPagePolicy, wantsPage } from "../pages.ts";
import type { FindSession } from "../session-cookie.ts";
import { setUpOverPage, setUpPage, signedInPage, signInPage, welcomePage } from "./account-pages.ts";
import type { Environment } from "./mount.ts";
import { reportShell, shellPolicy } from "./report-shell.ts";

/** Whether a code is a report that anyone may read. */
export type PublicCodes = (code: string) => Promise<boolean>;

/** `/{code}`, `/{code}/` or `/{code}/{file}`. */
const REPORT_PATH = /^\/([0-9A-Za-z]{16})(?:(\/)([A-Za-z0-9._-]*))?$/;

const NONCE_LENGTH = 22;

const PAGE_HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": PAGE_POLICY,
};

interface Parts {
  addresses: Addresses;
  publicCodes: PublicCodes;
  privateLinks: Pick<PrivateLinks, "open">;
  accounts: Pick<Accounts, "maySetUp">;
  findSession: FindSession;
  hasSingleSignOn: boolean;
  random: Random;
}

/** What a person meets at this host outside the API. */
export function mountPages(app: Hono<Environment>, parts: Parts): void {
  const { addresses, publicCodes, privateLinks, accounts, findSession, hasSingleSignOn, random } = parts;
  const { baseUrl, contentUrl } = addresses;

  function scripted(
    build: (nonce: string) => string,
    policy: (nonce: string) => string = scriptedPagePolicy,
  ): Response {
    const nonce = randomText(random, NONCE_LENGTH);
    return htmlResponse(build(nonce), 200, { "Content-Security-Policy": policy(nonce) });
  }

  // Cookies and the check of origins know one name of this host, so browsers have to use it.
  app.use(async (context, next) => {
    const url = new URL(context.req.url);
    const isElsewhere = url.host !== new URL(baseUrl).host && context.req.method === "GET";
    if (isElsewhere && wantsPage(context.req.raw.headers)) return redirectTo(baseUrl + url.pathname + url.search);
    return next();
  });

  app.get("/", async (context) => {
    const session = await findSession(context.req.raw.headers);
    if (session === undefined) return htmlResponse(welcomePage(addresses), 200);
    return scripted((nonce) => signedInPage(nonce, addresses, session));
  });

  app.get("/-/sign-in", async (context) => {
    const next = localPath(context.req.query("next"), baseUrl);
    const session = await findSession(context.req.raw.headers);
    if (session !== undefined) return redirectTo(baseUrl + next);
    return scripted((nonce) => signInPage(nonce, next, hasSingleSignOn));
  });

  app.get("/-/set-up", async (context) => {
    const token = context.req.query("token") ?? "";
    const isOpen = await accounts.maySetUp(token);
    return isOpen ? scripted((nonce) => setUpPage(nonce, token)) : htmlResponse(setUpOverPage(), 404);
  });

  app.get("*", async (context) => {
    const [, code = "", slash, file = ""] = REPORT_PATH.exec(context.req.path) ?? [];
    if (!CODE_PATTERN.test(code)) return missing();
    const { search } = new URL(context.req.url);
    if (await publicCodes(code)) return redirectTo(`${contentUrl}/${code}/${file}${search}`);
    return openPrivate(context, { code, file, search, hasSlash: slash !== undefined });
  });

  app.notFound(missing);

  async function openPrivate(context: Context<Environment>, wanted: Wanted): Promise<Response> {
    const { headers } = context.req.raw;
    const { code, file, search, hasSlash } = wanted;
    if (headers.has("authorization"))
      throw unauthenticated(`This link opens in a browser; read ${contentUrl}/${code}/.`);
    const session = await findSession(headers);
    const own = `/${code}/${file}${search}`;
    if (session === undefined) return wantsPage(headers) ? redirectTo(signInAt(baseUrl, own)) : missing();
    const opened = await privateLinks.open(code, session);
    if (opened === undefined) return missing();
    if (!hasSlash) return redirectTo(baseUrl + own);
    const src = `${contentUrl}/${opened.ticket}/${code}/${file || INDEX_FILE}${search}`;
    return scripted(
      (nonce) => reportShell(nonce, opened.title, src),
      (nonce) => shellPolicy(nonce, addresses),
    );
  }
}

interface Wanted {
  code: string;
  file: string;
  /** With its question mark, or empty. */
  search: string;
  hasSlash: boolean;
}

/** `html` is a page of the service's own; unless `extra` says so, no script runs in it. */
export const htmlResponse = (html: string, status: number, extra: Record<string, string> = {}) =>
  new Response(html, { status, headers: { ...PAGE_HEADERS, ...extra } });

const missing = () => htmlResponse(notFoundPage(), 404);

export const redirectTo = (location: string) =>
  new Response(null, { status: 302, headers: { ...PAGE_HEADERS, Location: location } });

const signInAt = (baseUrl: string, next: string) => `${baseUrl}/-/sign-in?next=${encodeURIComponent(next)}`;

/** A path of this host, whatever was asked for: nobody may be led elsewhere by way of our own sign-in. */
export function localPath(wanted: string | undefined, baseUrl: string): string {
  if (wanted === undefined || !wanted.startsWith("/") || !URL.canParse(wanted, baseUrl)) return "/";
  const url = new URL(wanted, baseUrl);
  const path = url.pathname + url.search + url.hash;
  return url.origin === baseUrl && !path.startsWith("//") ? path : "/";
}
