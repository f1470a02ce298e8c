import { escapeHtml, jsonForScript } from "../../http/html.ts";
import { ICON_LINK } from "../../http/icon.ts";
import { ASSETS_PATH, type PortalManifest } from "./files.ts";

/** Where anybody reads what the API does, and tries it with a token. */
export const API_DOCS_PATH = "/-/docs";

/**
 * Runs before the reference does. The policy takes styles with the nonce or set from scripts, so those that come
 * otherwise are made such; that no text becomes code is told before it is tried. Nothing that is sent from here may
 * count as the session's: whoever tries something out gives a token.
 */
const SETUP = `(() => {
  const nonce = document.currentScript.nonce
  const { createElement } = document
  document.createElement = (name, options) => {
    const element = createElement.call(document, name, options)
    if (element instanceof HTMLStyleElement) element.nonce = nonce
    return element
  }
  const { setAttribute } = Element.prototype
  Element.prototype.setAttribute = function (name, value) {
    if (name === "style" && this.style) this.style.cssText = value
    else setAttribute.call(this, name, value)
  }
  const html = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML")
  const setHtml = function (text) {
    html.set.call(this, String(text).replace(/(<[^>]*?\\s)style="/g, '$1data-style="'))
    for (const element of (this.content ?? this).querySelectorAll("[data-style]")) {
      element.style.cssText = element.dataset.style
      element.removeAttribute("data-style")
    }
  }
  Object.defineProperty(Element.prototype, "innerHTML", { ...html, set: setHtml })
  const refuse = function () { throw new EvalError("Text does not become code here.") }
  refuse.prototype = Function.prototype
  window.Function = refuse
  const send = window.fetch
  window.fetch = (input, init) => send(new Request(input, { ...init, credentials: "omit" }))
})()`;

/** Before the reference begins, and where its own look has a fault: a frame around what is jumped to, a button over an address. */
const STYLE = `:root{color-scheme:light dark}body{margin:0;background:light-dark(#fff,#0f0f0f)}
section:focus-visible{outline:none!important}@media(max-width:48rem){main>.scalar-sidebar-toggle{display:none!important}}`;

/** All that would ask other hosts, or offer their services, is off. */
const CONFIGURATION = {
  url: "/api/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  authentication: { preferredSecurityScheme: "token" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
};

/** The page of the API reference. */
export function apiDocsPage({ apiDocs }: PortalManifest, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<title>Vitrine API</title>
${ICON_LINK}
<style nonce="${nonce}">${STYLE}</style>
<script nonce="${nonce}">${SETUP}</script>
<script defer src="${escapeHtml(ASSETS_PATH + apiDocs)}" nonce="${nonce}"></script>
</head>
<body>
<div id="reference"></div>
<script type="module" nonce="${nonce}">Scalar.createApiReference("#reference", ${jsonForScript(CONFIGURATION)})</script>
<noscript><p>This page needs JavaScript. <a href="/api/openapi.json">The description itself</a> does without it.</p></noscript>
</body>
</html>
`;
}
