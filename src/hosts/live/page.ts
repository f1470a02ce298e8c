import type { LiveView } from "../../domain/live/live.ts";
import { escapeHtml } from "../../look/html.ts";
import { MARK_ELEMENT } from "../../look/mark.ts";
import { NOT_PUBLIC } from "../http/pages.ts";
import { currentFact } from "./facts.ts";
import type { ShellCode } from "./shell-code.ts";
import { shellPage } from "./shell-page.ts";

const LOST = {
  title: "This report is no longer available",
  reason: "It was deleted, is no longer shared with you, or you signed out.",
};

/** Shown in place of a report that the reader can no longer open, in the words of the page that a reload then shows. */
function goneHtml(isSignedIn: boolean): string {
  const { title, reason } = isSignedIn ? LOST : NOT_PUBLIC;
  const action = isSignedIn ? "Open it again" : "Sign in to open it";
  return `<section id="gone" class="gone" hidden>${MARK_ELEMENT}
<h2 id="gone-title" tabindex="-1">${title}</h2><p>${reason}</p><p><a href="">${action}</a></p></section>
`;
}

interface LivePage {
  view: LiveView;
  /** Whether access depends on the reader's session. */
  isSignedIn: boolean;
  /** Whether the publisher learns who the reader is. */
  isRecorded: boolean;
  code: ShellCode;
  nonce: string;
}

/** Returns the page that frames a report's current version and follows it. */
export function livePage({ view, isSignedIn, isRecorded, code, nonce }: LivePage): string {
  return shellPage({
    shown: view,
    reference: view.name,
    style: code.style,
    script: code.liveScript,
    nonce,
    head: view.publicUrl === undefined ? "" : previewTags(view, view.publicUrl),
    bar: { isLive: true, versionUrl: `/${view.code}/`, isRecorded },
    withoutScript: `This page needs JavaScript. <a href="/${view.code}/">Open the report</a> without it.`,
    afterFrame: goneHtml(isSignedIn),
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
