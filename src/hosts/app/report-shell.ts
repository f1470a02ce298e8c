import type { Addresses } from "../../domain/links.ts";
import { escapeHtml } from "../html.ts";

// No color scheme of its own: only then browsers put a dark ground under a report that is dark and brings none.
const STYLE = `html,body{height:100%;margin:0;background:#fff}
iframe{display:block;width:100%;height:100%;border:0}`;

/** What a published page may do within its frame; its own headers say the same. */
const FRAME_SANDBOX =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";

/** Only the shell sees the fragment of the address, and the report may need it, from the beginning. */
const SCRIPT = `
const frame = document.querySelector("iframe");
const follow = () => { frame.src = frame.dataset.src + location.hash };
follow();
addEventListener("hashchange", follow);
`;

/** A page of the application host around a report of the content host, which has an origin of its own. */
export const reportShell = (nonce: string, title: string, src: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<iframe data-src="${escapeHtml(src)}" title="${escapeHtml(title)}" sandbox="${FRAME_SANDBOX}" allow="fullscreen *; clipboard-write *"></iframe>
<script nonce="${nonce}">${SCRIPT}</script>
<noscript>This report opens with JavaScript, which is switched off in your browser.</noscript>
</body>
</html>
`;

export const shellPolicy = (nonce: string, { baseUrl, contentUrl }: Addresses) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src ${baseUrl} ${baseUrl.replace(/^http/, "ws")}`,
    `frame-src ${contentUrl}/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
