import type { Hono } from "hono";
import type { Addresses } from "../../domain/links.ts";
import { CODE_PATTERN } from "../../domain/names.ts";
import { notFoundPage, PAGE_POLICY, page } from "../pages.ts";
import type { Environment } from "./mount.ts";

/** Whether a code is a report that anyone may read. */
export type PublicCodes = (code: string) => Promise<boolean>;

/** `/{code}`, `/{code}/` or `/{code}/{file}`. */
const REPORT_PATH = /^\/([0-9A-Za-z]{16})(?:\/([A-Za-z0-9._-]*))?$/;

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

/** What a person meets at this host outside the API. */
export function mountPages(
  app: Hono<Environment>,
  { addresses, publicCodes }: { addresses: Addresses; publicCodes: PublicCodes },
): void {
  app.get("/", () => htmlResponse(welcomePage(addresses), 200));

  app.get("*", async (context) => {
    const [, code = "", file = ""] = REPORT_PATH.exec(context.req.path) ?? [];
    const isPublic = CODE_PATTERN.test(code) && (await publicCodes(code));
    if (!isPublic) return htmlResponse(notFoundPage(), 404);
    const Location = `${addresses.contentUrl}/${code}/${file}`;
    return new Response(null, { status: 302, headers: { ...PAGE_HEADERS, Location } });
  });

  app.notFound(() => htmlResponse(notFoundPage(), 404));
}

const htmlResponse = (html: string, status: number) => new Response(html, { status, headers: PAGE_HEADERS });

const welcomePage = ({ baseUrl }: Addresses) =>
  page(
    "Vitrine is running",
    `<p>Publish a report with an access token, and share the link you get back:</p>
<pre>bin/vitrine publish my-report/ --name my-report --public</pre>
<p>Or from any language: <code>POST ${baseUrl}/api/upload</code>, described in
<a href="/api/openapi.json">the API description</a>.</p>`,
  );
