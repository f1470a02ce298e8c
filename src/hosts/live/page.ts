import type { LiveView } from "../../domain/live.ts";
import { escapeHtml, jsonForScript } from "../html.ts";
import { currentFact } from "./facts.ts";
import type { ShellCode } from "./shell-code.ts";

/** The tokens of the policy that published pages carry: neither gives a page more than the other. */
const SANDBOX =
  "allow-scripts allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads allow-pointer-lock";
const FEATURES = "fullscreen *; clipboard-write *";

const icon = (path: string) => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

const ICONS = {
  more: icon("M4 6l4 4 4-4"),
  pin: icon("M9 3h4v4M13 3L7 9M11 9.5V13H3V5h3.5"),
  copy: icon("M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2"),
};

const LOST_BY_ANYONE = "It was deleted, made private or given another name. Ask whoever sent you the link.";
const LOST_BY_READER =
  'It was deleted or is no longer shared with you, or you have signed out. <a href="">Open it again</a>';

interface ShellPage {
  view: LiveView;
  /** Whether what the reader sees depends on who they are. */
  isSignedIn: boolean;
  code: ShellCode;
  nonce: string;
}

/** The page that frames a group's current version and follows it. */
export function shellPage({ view, isSignedIn, code, nonce }: ShellPage): string {
  const title = escapeHtml(view.title);
  const created = new Date(view.createdAt).toISOString();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${view.publicUrl === undefined ? "" : previewTags(view, view.publicUrl)}<style nonce="${nonce}">${code.style}</style>
</head>
<body>
<header>
<h1 id="title" title="${title}">${title}</h1>
<div class="versions">
<button id="version" type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="menu"><span id="version-text">Version ${view.versionNo}</span>${ICONS.more}</button>
<div id="menu" role="menu" aria-labelledby="version" hidden></div>
</div>
<time id="when" datetime="${created}">${created.slice(0, 16).replace("T", " ")} UTC</time>
<p id="lost" class="lost" hidden>Connection lost. Trying again…</p>
<p id="news" class="news" hidden><span id="news-text"></span> <button id="follow" type="button">Show it</button></p>
<p class="actions"><a id="pinned" href="/${view.code}/" target="_blank" rel="noopener">${ICONS.pin}<span>Open pinned</span></a>
<button id="copy" type="button">${ICONS.copy}<span>Copy link</span></button></p>
<p id="said" class="unseen" role="status"></p>
</header>
<main id="stage"><noscript><p class="plain"><a href="/${view.code}/">Open the report</a>; without scripts this page cannot show it.</p></noscript><iframe title="${title}" sandbox="${SANDBOX}" allow="${FEATURES}"></iframe></main>
<section id="gone" class="gone" hidden><h2>This report is no longer shared here</h2><p>${isSignedIn ? LOST_BY_READER : LOST_BY_ANYONE}</p></section>
<script id="state" type="application/json">${jsonForScript(currentFact(view))}</script>
<script nonce="${nonce}">${code.script}</script>
</body>
</html>
`;
}

function previewTags(view: LiveView, url: string): string {
  const description = `Version ${view.versionNo}, published ${new Date(view.createdAt).toISOString().slice(0, 10)} by ${view.ownerSlug}`;
  const tags = [
    ["name", "description", description],
    ["property", "og:type", "article"],
    ["property", "og:site_name", "Vitrine"],
    ["property", "og:title", view.title],
    ["property", "og:description", description],
    ["property", "og:url", url],
    ["name", "twitter:card", "summary"],
    ["name", "twitter:title", view.title],
    ["name", "twitter:description", description],
  ] as const;
  const lines = tags.map(([key, name, content]) => `<meta ${key}="${name}" content="${escapeHtml(content)}">\n`);
  return lines.join("");
}
