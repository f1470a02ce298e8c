import { randomText } from "../../domain/model/codes.ts";
import { unauthenticated } from "../../domain/model/failure.ts";
import type { Random } from "../../domain/model/ports.ts";
import { notFoundPage, PAGE_POLICY, scriptedPagePolicy, wantsPage } from "./pages.ts";

const NONCE_LENGTH = 22;

/** The start page for signed-in users. */
export const HOME = "/-/";

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

/** Returns a page without a script. */
export const htmlResponse = (html: string, status: number, extra: Record<string, string> = {}) =>
  new Response(html, { status, headers: { ...PAGE_HEADERS, ...extra } });

/** Returns a page with a script, which the nonce in the page and in its policy allows. */
export function scriptedResponse(
  random: Random,
  build: (nonce: string) => string,
  policy: (nonce: string) => string = scriptedPagePolicy,
): Response {
  const nonce = randomText(random, NONCE_LENGTH);
  return htmlResponse(build(nonce), 200, { "Content-Security-Policy": policy(nonce) });
}

/** Returns the page for addresses without content. */
export const missing = () => htmlResponse(notFoundPage(), 404);

/** The query with which a link leads to the page that requests access. */
const REQUEST_ACCESS = "?request-access";

/**
 * Returns the page for a signed-in reader who may not read what a link names, whether or not there is a report. All links
 * get the same page, so that readers can't tell them apart.
 */
export const missingReport = () => htmlResponse(notFoundPage({ requestUrl: REQUEST_ACCESS }), 404);

/** Redirects to the page that requests access if the query asks for it. */
export const toRequestPage = (search: string, reference: { name: string } | { code: string }): Response | undefined =>
  search === REQUEST_ACCESS ? redirectTo(`/-/request-access?${new URLSearchParams(reference)}`) : undefined;

export const redirectTo = (location: string) =>
  new Response(null, { status: 302, headers: { ...PAGE_HEADERS, Location: location } });

/** Returns the path of the sign-in page that leads back to a path of this host. */
export const signInPath = (next: string) => `/-/sign-in?next=${encodeURIComponent(next)}`;

/** Redirects a browser to the sign-in page and back. Throws `Unauthenticated` for other clients, whether or not the path exists. */
export function signInOrRefuse(headers: Headers, baseUrl: string, path: string): Response {
  refuseProgram(headers);
  return redirectTo(baseUrl + signInPath(path));
}

/** Throws `Unauthenticated` unless the request comes from a browser that shows the response as a page. */
export function refuseProgram(headers: Headers): void {
  if (!wantsPage(headers))
    throw unauthenticated(
      "This link only works in a browser where you are signed in. Use the API to read reports from a program.",
    );
}

/** Returns the requested path if it is on this host, otherwise `HOME`, so that sign-in never redirects to another site. */
export function localPath(requested: string | undefined, baseUrl: string): string {
  if (requested === undefined || !requested.startsWith("/") || !URL.canParse(requested, baseUrl)) return HOME;
  const url = new URL(requested, baseUrl);
  const path = url.pathname + url.search + url.hash;
  return url.origin === baseUrl && !path.startsWith("//") ? path : HOME;
}
