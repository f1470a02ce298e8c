import { escapeHtml } from "../../../look/html.ts";
import { ICON_LINK } from "../../http/icon.ts";
import { jsonForScript } from "../../http/script-json.ts";
import { ASSETS_PATH, type PortalManifest } from "./files.ts";

/** The path of the API reference. */
export const API_DOCS_PATH = "/-/docs";

/**
 * Runs before the reference's script and adapts it to the page's policy. Styles get the nonce or are set by script, and
 * `Function` throws instead of violating the policy. Requests omit cookies, so that trying out an endpoint always
 * requires an access token.
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
  const refuse = function () { throw new EvalError("The content security policy disallows eval.") }
  refuse.prototype = Function.prototype
  window.Function = refuse
  const send = window.fetch
  window.fetch = (input, init) => send(new Request(input, { ...init, credentials: "omit" }))
})()`;

/** Styles the page before the reference loads, and fixes its styles: an outline around link targets, a button that covers addresses. */
const STYLE = `:root{color-scheme:light dark}body{margin:0;background:light-dark(#fff,#0f0f0f)}
section:focus-visible{outline:none!important}@media(max-width:48rem){main>.scalar-sidebar-toggle{display:none!important}}`;

/** Turns off everything that contacts other hosts or advertises their services. */
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

/** Returns the page of the API reference. */
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
<noscript><p>This page requires JavaScript. The <a href="/api/openapi.json">OpenAPI document</a> is available without it.</p></noscript>
</body>
</html>
`;
}
