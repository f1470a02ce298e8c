import { createHash } from "node:crypto";
import { escapeHtml } from "../../look/html.ts";
import { MARK_ELEMENT } from "../../look/mark.ts";
import { TOKENS } from "../../look/tokens.ts";
import { ICON_LINK } from "./icon.ts";

/** The style of the pages outside the portal. */
const STYLE = `${TOKENS}
*{box-sizing:border-box}
body{margin:0;min-height:100dvh;display:grid;grid-template-columns:minmax(0,1fr);place-items:center;padding:1.5rem;
font:var(--text-md)/1.55 var(--font);color:var(--ink);background:var(--ground)}
main{width:100%;max-width:30rem;padding:2rem;background:var(--surface);border:1px solid var(--line);border-radius:var(--radius-xl);
box-shadow:var(--shadow-md)}main:has(input:not([type=hidden])){max-width:24rem}
.brand{display:flex;align-items:center;gap:.5rem;margin:0 0 1.5rem;color:var(--ink);font-weight:500;letter-spacing:var(--tight)}
h1{font-size:var(--title-2);font-weight:500;line-height:1.3;letter-spacing:var(--tight);text-wrap:balance;margin:0 0 .5rem}
p{margin:0 0 .75rem;color:var(--ink-soft);overflow-wrap:anywhere}main>:last-child{margin-bottom:0}
a{color:var(--accent-ink);text-underline-offset:.15em}code,pre{overflow-wrap:anywhere;font:var(--text-sm)/1.5 var(--mono)}
pre{padding:.75rem 1rem;border:1px solid var(--line);border-radius:var(--radius-md);white-space:pre-wrap;color:var(--ink)}
form{display:grid;gap:1rem;margin:1.25rem 0 0}form+p{margin-top:1rem}label{display:grid;gap:.25rem;font-size:var(--text-sm);font-weight:500}
label small{font-weight:400;font-size:var(--text-xs);color:var(--ink-soft)}
input{font:inherit;font-size:var(--text-md);font-weight:400;width:100%;height:2.25rem;padding:0 .625rem;color:inherit;background:var(--field);
border:1px solid var(--edge);border-radius:var(--radius-md)}input[readonly]{background:none;border-color:var(--line)}
select{font:inherit;font-size:var(--text-md);font-weight:400;width:100%;height:2.25rem;padding:0 .5rem;color:inherit;background:var(--field);
border:1px solid var(--edge);border-radius:var(--radius-md)}option{color:var(--ink);background:var(--surface)}
fieldset{display:grid;gap:.75rem;min-width:0;margin:0;padding:0;border:0}legend{margin-bottom:.5rem;padding:0;font-size:var(--text-sm);font-weight:500}
label.choice{grid-template-columns:auto 1fr;gap:0 .625rem}label.choice input{width:1rem;height:1rem;margin:.2em 0 0;accent-color:var(--accent)}
label.choice small{grid-column:2}.actions{display:grid;grid-template-columns:1fr 1fr;gap:.5rem;margin:0}
.code{padding:.5rem;font:500 var(--title-2)/1.5 var(--mono);letter-spacing:.1em;text-align:center;color:var(--ink);background:var(--ground);border-radius:var(--radius-md)}
button{font:inherit;font-weight:500;height:2.25rem;padding:0 1rem;justify-self:start;color:var(--on-accent);background:var(--accent);
border:1px solid transparent;border-radius:var(--radius-md);cursor:pointer;transition:background var(--quick) var(--ease)}
form:has(input:not([type=hidden])) button,.or+form button{justify-self:stretch}
button:hover{background:var(--accent-hover)}button:disabled{opacity:.6;cursor:default}
button.quiet{color:var(--ink);background:var(--field);border-color:var(--edge)}button.quiet:hover{background:var(--hover)}
.foot{font-size:var(--text-sm)}form+.foot{margin-top:1rem}.or{display:flex;align-items:center;gap:.75rem;margin:1rem 0 0;font-size:var(--text-xs)}.or+form{margin-top:1rem}
.or::before,.or::after{content:"";flex:1;height:1px;background:var(--line)}
:focus-visible{outline:var(--focus);outline-offset:2px}input:focus-visible{outline-offset:-1px}
[role=alert]{margin:0;color:var(--danger)}[role=alert]:empty{display:none}
@media(pointer:coarse){input{font-size:1rem}input,select,button{height:2.75rem}}
@media(max-width:30rem){body{padding:0;place-items:start stretch;background:var(--surface)}main,main:has(input:not([type=hidden])){max-width:none;
padding:1.5rem 1.25rem;border:0;border-radius:0;box-shadow:none}}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}`;

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
<p class="brand">${MARK_ELEMENT}Vitrine</p>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
${script === undefined ? "" : `<script${attribute}>${script}</script>\n`}</body>
</html>
`;
}

/** What people who aren't signed in learn about a link, whether or not a report is there. */
export const NOT_PUBLIC = {
  title: "This report isn't public",
  reason: "It may be private, renamed or deleted. Ask the person who sent you the link.",
};

/**
 * Returns one page for reports that never existed, were deleted, or that the reader cannot access. Pass `signInUrl` if
 * signing in may help.
 */
export const notFoundPage = ({ signInUrl, requestUrl }: { signInUrl?: string; requestUrl?: string } = {}) =>
  page(
    "Page not found",
    `<p>There's no report at this address, or you don't have access to it. Check the link, or ask the person who sent it to you.</p>${
      signInUrl === undefined
        ? ""
        : `\n<p>If you have access, <a href="${escapeHtml(signInUrl)}">sign in</a> to open it.</p>`
    }${
      requestUrl === undefined
        ? ""
        : `\n<p>If it should open for you, <a href="${escapeHtml(requestUrl)}">request access</a>.</p>`
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
