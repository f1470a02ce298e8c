import { notFoundPage, PAGE_POLICY, wantsPage } from "../pages.ts";

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

export const htmlResponse = (html: string, status: number, extra: Record<string, string> = {}): Response =>
  new Response(html, { status, headers: { ...PAGE_HEADERS, ...extra } });

export const missing = (): Response => htmlResponse(notFoundPage(), 404);

export const redirectTo = (location: string): Response =>
  new Response(null, { status: 302, headers: { ...PAGE_HEADERS, Location: location } });

/** For whoever is not signed in: a person may sign in and come back, a program finds nothing. */
export const signInOrMissing = (headers: Headers, baseUrl: string, path: string): Response =>
  wantsPage(headers) ? redirectTo(`${baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`) : missing();
