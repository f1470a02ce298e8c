import { createHash } from "node:crypto";
import { escapeHtml } from "./html.ts";
import { ICON_LINK } from "./icon.ts";

/** The style of the pages outside the portal. */
const STYLE = `:root{color-scheme:light dark;--ink:#1c2024;--soft:#60646c;--ground:#fcfcfd;--field:#fff;--line:#d9d9e0;--edge:#8b8d98;
--accent:#0b6e66;--on-accent:#fff;--alarm:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--soft:#b0b4ba;--ground:#111113;--field:#18191b;--line:#363a3f;--edge:#696e77;
--accent:#53b9ab;--on-accent:#0b1513;--alarm:#ff9592}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;padding:1.5rem;
font:1rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--ground)}
main{width:100%;max-width:34rem}main:has(input){max-width:24rem}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}p{margin:0 0 1rem;color:var(--soft);overflow-wrap:anywhere}
a{color:var(--accent)}code,pre{overflow-wrap:anywhere;font:.875rem/1.5 ui-monospace,monospace}
pre{padding:.75rem 1rem;border:1px solid var(--line);border-radius:.5rem;white-space:pre-wrap;color:var(--ink)}
form{display:grid;gap:1rem;margin:1.25rem 0 0}form+p{margin-top:1rem}label{display:grid;gap:.25rem;font-weight:500}
label small{font-weight:400;font-size:.875rem;color:var(--soft)}
input{font:inherit;width:100%;padding:.5rem .75rem;color:inherit;background:var(--field);border:1px solid var(--edge);border-radius:.5rem}
input[readonly]{background:none}
button{font:inherit;font-weight:600;justify-self:start;padding:.5rem 1.25rem;color:var(--on-accent);background:var(--accent);
border:1px solid var(--accent);border-radius:.5rem;cursor:pointer}
.or{margin:1.25rem 0 0;text-align:center}.or+form{margin-top:.75rem}
form[data-to*=sign-in] button{justify-self:stretch}button:disabled{opacity:.6;cursor:default}
button.quiet{color:var(--accent);background:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{margin:0;color:var(--alarm)}[role=alert]:empty{display:none}`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

interface PageOptions {
  /** The nonce that `scriptedPagePolicy` allows. */
  nonce?: string;
  script?: string;
}

/** Returns a complete page. `body` is HTML, `title` is text. */
export function page(title: string, body: string, { nonce, script }: PageOptions = {}): string {
  const attribute = nonce === undefined ? "" : ` nonce="${nonce}"`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Vitrine</title>
${ICON_LINK}
<style${attribute}>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${script === undefined ? "" : `<script${attribute}>${script}</script>\n`}</body>
</html>
`;
}

/**
 * Returns one page for reports that never existed, were deleted, or that the reader cannot access. Pass `signInUrl` if
 * signing in may help.
 */
export const notFoundPage = (signInUrl?: string) =>
  page(
    "Page not found",
    `<p>There's no report at this address, or you don't have access to it. Check the link, or ask the person who sent it to you.</p>${
      signInUrl === undefined
        ? ""
        : `\n<p>If you have access, <a href="${escapeHtml(signInUrl)}">sign in</a> to open it.</p>`
    }`,
  );

/** The page for a report whose files are missing or damaged. */
export const DAMAGED_PAGE = page(
  "This report can't be shown",
  `<p>Its files are missing or damaged on this server. Ask the server's administrator to restore them from a backup, or ask the report's author to publish it again.</p>`,
);

const NO_FRAMING = "base-uri 'none'; frame-ancestors 'none'";

/** Allows only the page's own style and icon. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; form-action 'none'; ${NO_FRAMING}; sandbox`;

/** Returns a policy that allows the page's own style and script, and requests to its own host. */
export const scriptedPagePolicy = (nonce: string) =>
  `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; ${NO_FRAMING}`;

/** Returns whether the request comes from a browser that shows the response as a page. */
export const wantsPage = (headers: Headers): boolean =>
  headers.get("sec-fetch-dest") === "document" || (headers.get("accept")?.includes("text/html") ?? false);
