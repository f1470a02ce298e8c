import type { LiveView } from "../../domain/live/live.ts";
import { escapeHtml } from "../http/html.ts";
import { currentFact } from "./facts.ts";
import type { ShellCode } from "./shell-code.ts";
import { ICONS, shellPage } from "./shell-page.ts";

const LOST_BY_ANYONE = "It was deleted, renamed or made private. Ask the person who sent you the link.";
const LOST_BY_READER = 'It was deleted, is no longer shared with you, or you signed out. <a href="">Open it again</a>';

const NOTES = `<p id="lost" class="lost" hidden>Connection lost. Reconnecting…</p>
<p id="news" class="news" hidden><span id="news-text"></span> <button id="follow" type="button"></button></p>
`;

interface LivePage {
  view: LiveView;
  /** Whether access depends on the reader's session. */
  isSignedIn: boolean;
  code: ShellCode;
  nonce: string;
}

/** Returns the page that frames a report's current version and follows it. */
export function livePage({ view, isSignedIn, code, nonce }: LivePage): string {
  return shellPage({
    shown: view,
    style: code.style,
    script: code.liveScript,
    nonce,
    head: view.publicUrl === undefined ? "" : previewTags(view, view.publicUrl),
    version: `<div class="versions">
<button id="version" type="button" aria-haspopup="menu" aria-expanded="false" aria-controls="menu"><span id="version-text">Version ${view.versionNo}</span><span id="staying" hidden>· staying</span>${ICONS.more}</button>
<div id="menu" role="menu" aria-labelledby="version" hidden></div>
</div>`,
    notes: NOTES,
    actions: `<a id="version-link" href="/${view.code}/" target="_blank" rel="noopener">${ICONS.open}<span>Open version link</span></a>
`,
    withoutScript: `This page needs JavaScript. <a href="/${view.code}/">Open the report</a> without it.`,
    afterFrame: `<section id="gone" class="gone" hidden><h2>This report is no longer available</h2><p>${isSignedIn ? LOST_BY_READER : LOST_BY_ANYONE}</p></section>
`,
    state: currentFact(view),
  });
}

function previewTags(view: LiveView, url: string): string {
  const description = `Version ${view.versionNo}, published ${new Date(view.createdAt).toISOString().slice(0, 10)} by ${view.publisher.slug}`;
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
