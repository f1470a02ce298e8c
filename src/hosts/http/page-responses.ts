import { randomText } from "../../domain/model/codes.ts";
import { unauthenticated } from "../../domain/model/failure.ts";
import type { Random } from "../../domain/model/ports.ts";
import { notFoundPage, PAGE_POLICY, scriptedPagePolicy, wantsPage } from "./pages.ts";

const NONCE_LENGTH = 22;

/** Where whoever is signed in begins. */
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

/** A page without a script. */
export const htmlResponse = (html: string, status: number, extra: Record<string, string> = {}) =>
  new Response(html, { status, headers: { ...PAGE_HEADERS, ...extra } });

/** A page with a script, which runs because of the nonce that both the page and its policy name. */
export function scriptedResponse(
  random: Random,
  build: (nonce: string) => string,
  policy: (nonce: string) => string = scriptedPagePolicy,
): Response {
  const nonce = randomText(random, NONCE_LENGTH);
  return htmlResponse(build(nonce), 200, { "Content-Security-Policy": policy(nonce) });
}

export const missing = () => htmlResponse(notFoundPage(), 404);

export const redirectTo = (location: string) =>
  new Response(null, { status: 302, headers: { ...PAGE_HEADERS, Location: location } });

/** Where to sign in and come back to a path of this host. */
export const signInPath = (next: string) => `/-/sign-in?next=${encodeURIComponent(next)}`;

/** Sends a person who isn't signed in to sign in and back. Throws `Unauthenticated` for a program, whatever there is at the path. */
export function signInOrRefuse(headers: Headers, baseUrl: string, path: string): Response {
  refuseProgram(headers);
  return redirectTo(baseUrl + signInPath(path));
}

/** Throws `Unauthenticated` unless a person is going to look at the answer. */
export function refuseProgram(headers: Headers): void {
  if (!wantsPage(headers))
    throw unauthenticated("Sign in to open this link in a browser. Programs read reports through the API.");
}

/** A path of this host, whatever was asked for: nobody may be led elsewhere by way of our own sign-in. `HOME` by default. */
export function localPath(wanted: string | undefined, baseUrl: string): string {
  if (wanted === undefined || !wanted.startsWith("/") || !URL.canParse(wanted, baseUrl)) return HOME;
  const url = new URL(wanted, baseUrl);
  const path = url.pathname + url.search + url.hash;
  return url.origin === baseUrl && !path.startsWith("//") ? path : HOME;
}
