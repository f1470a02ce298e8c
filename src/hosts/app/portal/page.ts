import type { Addresses } from "../../../domain/model/links.ts";
import { TOKENS } from "../../../look/tokens.ts";
import { ICON_LINK } from "../../http/icon.ts";
import { EARLY_KEYS } from "./early-keys.ts";
import { ASSETS_PATH, type PortalManifest } from "./files.ts";
import { OPENING, OPENING_STYLE } from "./opening.ts";

/** Sets the color scheme before the first paint, to avoid a flash of the wrong one. */
const COLOR_SCHEME = `const kept=localStorage.getItem("mantine-color-scheme-value")
const scheme=kept==="light"||kept==="dark"?kept:matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"
document.documentElement.setAttribute("data-mantine-color-scheme",scheme)`;

/** The colors until the script has started. */
const GROUND = `body{margin:0;background:var(--surface)}
[data-mantine-color-scheme=light]{color-scheme:light}[data-mantine-color-scheme=dark]{color-scheme:dark}`;

/** Returns the page that the portal runs in; `reads` are the requests with which its scripts begin. */
export function portalPage(
  { script, style, preload }: Pick<PortalManifest, "script" | "style" | "preload">,
  nonce: string,
  reads: readonly string[],
): string {
  // Preloads that the bundler adds take their nonce from the meta element.
  const preloads = preload.map((name) => `<link rel="modulepreload" href="${ASSETS_PATH}${name}" nonce="${nonce}">`);
  const data = reads.map((path) => `<link rel="preload" as="fetch" crossorigin href="${path.replace("&", "&amp;")}">`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${nonce}">
<title>Vitrine</title>
${ICON_LINK}
<style nonce="${nonce}">${TOKENS}
${GROUND}
${OPENING_STYLE}</style>
<script nonce="${nonce}">${COLOR_SCHEME}
${EARLY_KEYS}</script>
${data.join("\n")}
${preloads.join("\n")}
<script type="module" src="${ASSETS_PATH}${script}" nonce="${nonce}"></script>
</head>
<body>
${OPENING}
<link rel="stylesheet" href="${ASSETS_PATH}${style}" nonce="${nonce}">
<div id="portal"></div>
<section id="overlays" aria-label="Menus, dialogs and notices"></section>
<noscript><p>The portal requires JavaScript. The API and the command line work without it.</p></noscript>
</body>
</html>
`;
}

/** Returns a policy that allows the portal's scripts and styles, data from its host, and frames with published pages. */
export const portalPolicy = (nonce: string, { baseUrl, contentUrl }: Addresses) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `worker-src ${baseUrl}${ASSETS_PATH}`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    // Not every browser includes sockets in 'self'.
    `connect-src 'self' ${baseUrl.replace(/^http/, "ws")}`,
    `frame-src ${contentUrl}/`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
