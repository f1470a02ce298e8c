import type { LiveView } from "../../domain/live/live.ts";
import { MARK_ELEMENT } from "../../look/mark.ts";
import { NOT_PUBLIC } from "../http/pages.ts";
import { currentFact } from "./facts.ts";
import { type PreviewLinks, previewTags } from "./preview-tags.ts";
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
  return `<section id="gone" class="gone" role="main" hidden>${MARK_ELEMENT}
<h2 id="gone-title" tabindex="-1">${title}</h2><p>${reason}</p><p><a href="">${action}</a></p></section>
`;
}

interface LivePage {
  view: LiveView;
  /** Undefined unless the live link is public. */
  publicLinks: PreviewLinks | undefined;
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
    head: publicLinks === undefined ? "" : previewTags({ ...view, author: view.publisher.slug }, publicLinks),
    bar: { isLive: true, versionUrl: `/${view.code}/`, isRecorded, comments },
    withoutScript: `This page needs JavaScript. <a href="/${view.code}/">Open the report</a> without it.`,
    afterFrame: goneHtml(isSignedIn),
    state: currentFact(view),
  });
}
