import { CARD_SIZE } from "../../domain/cards/cards.ts";
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

/** The addresses of a public report that other sites use. */
export interface PublicLinks {
  url: string;
  cardUrl: string;
  oembedUrl: string;
}

interface LivePage {
  view: LiveView;
  /** Undefined unless the live link is public. */
  publicLinks: PublicLinks | undefined;
  /** Whether access depends on the reader's session. */
  isSignedIn: boolean;
  /** Whether the publisher learns who the reader is. */
  isRecorded: boolean;
  /** Where a reader who signs in can comment; true if the reader is signed in here. */
  comments: true | string;
  code: ShellCode;
  nonce: string;
}

/** Returns the page that frames a report's current version and follows it. */
export function livePage({ view, publicLinks, isSignedIn, isRecorded, comments, code, nonce }: LivePage): string {
  return shellPage({
    shown: view,
    reference: view.name,
    style: code.style,
    script: comments === true ? code.privateScript : code.liveScript,
    nonce,
    head: publicLinks === undefined ? "" : previewTags(view, publicLinks),
    bar: { isLive: true, versionUrl: `/${view.code}/`, isRecorded, comments },
    withoutScript: `This page needs JavaScript. <a href="/${view.code}/">Open the report</a> without it.`,
    afterFrame: goneHtml(isSignedIn),
    state: currentFact(view),
  });
}

/** Returns what sites that preview links read: the card of a public report. */
function previewTags(view: LiveView, { url, cardUrl, oembedUrl }: PublicLinks): string {
  const description = `Version ${view.versionNo}, published ${new Date(view.createdAt).toISOString().slice(0, 10)} by ${view.publisher.slug}`;
  const tags = [
    ["name", "description", description],
    ["name", "author", view.publisher.slug],
    ["property", "og:type", "article"],
    ["property", "og:site_name", "Vitrine"],
    ["property", "og:title", view.title],
    ["property", "og:description", description],
    ["property", "og:url", url],
    ["property", "og:image", cardUrl],
    ["property", "og:image:type", "image/png"],
    ["property", "og:image:width", String(CARD_SIZE.width)],
    ["property", "og:image:height", String(CARD_SIZE.height)],
    ["property", "og:image:alt", view.title],
    ["property", "article:published_time", new Date(view.createdAt).toISOString()],
    ["name", "twitter:card", "summary_large_image"],
    ["name", "twitter:title", view.title],
    ["name", "twitter:description", description],
    ["name", "twitter:image", cardUrl],
  ] as const;
  const lines = tags.map(([key, name, content]) => `<meta ${key}="${name}" content="${escapeHtml(content)}">\n`);
  const discovery = `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembedUrl)}" title="${escapeHtml(view.title)}">\n`;
  return lines.join("") + discovery;
}
