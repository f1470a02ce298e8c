import { escapeHtml } from "../html.ts";
import { iconHtml } from "../icons.ts";
import { MARK_ELEMENT } from "../mark.ts";

const RECORDED_NOTICE = "The publisher sees that you viewed this";
const PASSWORD_NOTICE = "Vitrine never asks for your password inside a report";

/** What the reader's bar shows at first. Its script changes what can change. */
export interface BarContent {
  title: string;
  publisher: { slug: string; name: string | undefined };
  versionNo: number;
  /** ISO 8601. */
  createdAt: string;
  /** Whether new versions appear automatically. */
  isLive: boolean;
  /** The level of the title's heading. */
  heading: "h1" | "h2";
  /** The version link of what a live link shows. */
  versionUrl?: string | undefined;
  /** Where to share the report; true if the page itself can. */
  share?: string | true | undefined;
  /** Whether pressing the title changes it. */
  canEditTitle?: boolean | undefined;
  /** Whether the page adds controls before the actions, in the element `[data-part=slot]`. */
  hasSlot?: boolean | undefined;
  /** Whether the publisher learns that this reader opened the report. */
  isRecorded?: boolean | undefined;
  /** Whether the page can show comments; otherwise where a reader who signs in can. */
  comments?: true | string | undefined;
  /** The report's page in the portal, for members of its workspace. */
  portalUrl?: string | undefined;
}

/** Returns the bar above a framed report: who published it, which version it is, and what a reader can do with it. */
export function barHtml(content: BarContent): string {
  const { publisher, versionNo, createdAt, isLive, heading } = content;
  const title = escapeHtml(content.title);
  const by = escapeHtml(publisher.name ?? publisher.slug);
  const slug = escapeHtml(publisher.slug);
  return `<header class="reader-bar" id="reader-bar" data-publisher="${by}">
<button data-part="toggle" type="button" aria-expanded="false">${MARK_ELEMENT}<span>Report by @${slug}</span>${iconHtml("chevronUp")}</button>
<div class="reader-bar-body">
${MARK_ELEMENT}
${titleHtml(heading, title, content.canEditTitle === true)}
${publisherHtml(publisher)}
<div class="reader-bar-versions" role="group" aria-label="Versions">
<button data-part="older" class="icon-only" type="button" aria-label="Previous version"${versionNo > 1 ? "" : " hidden"}>${iconHtml("chevronLeft")}</button>
<input data-part="slider" type="range" aria-label="Version" min="1" max="${versionNo}" value="${versionNo}"${versionNo > 1 ? "" : " hidden"}>
<button data-part="newer" class="icon-only" type="button" aria-label="Next version"${versionNo > 1 ? "" : " hidden"} disabled>${iconHtml("chevronRight")}</button>
<div class="reader-bar-place">
<button data-part="version" type="button" aria-haspopup="menu" aria-expanded="false" title="${createdAt.slice(0, 16).replace("T", " ")} UTC"><span data-part="version-text">Version ${versionNo}</span>${iconHtml("chevronDown")}</button>
<div data-part="menu" role="menu" aria-label="Versions" hidden></div>
</div>
</div>
${isLive ? LIVE : ""}${content.isRecorded ? RECORDED : ""}<p class="notice"><button data-part="shield" class="icon-only" type="button" aria-label="About passwords" aria-expanded="false">${iconHtml("shield")}</button>${iconHtml("shield")}<span>${PASSWORD_NOTICE}</span></p>
${content.hasSlot ? '<div data-part="slot"></div>\n' : ""}<p class="actions">
${actionsHtml(content)}
</p>
</div>
<p data-part="said" class="unseen" role="status"></p>
</header>`;
}

const LIVE = `<button data-part="live" type="button" aria-pressed="true"><i></i><span>Live</span></button>
<p data-part="lost" hidden>Connection lost. Reconnecting…</p>
<button data-part="changes" type="button" hidden></button>
<p data-part="news" hidden><span data-part="news-text"></span><button data-part="follow" type="button"></button></p>
`;

const RECORDED = `<p class="recorded" title="${RECORDED_NOTICE}">${iconHtml("eye")}<span>${RECORDED_NOTICE}</span></p>
`;

const titleHtml = (heading: BarContent["heading"], title: string, canEdit: boolean) =>
  canEdit
    ? `<${heading} class="heading"><button data-part="title" type="button" dir="auto" title="${title}">${title}</button></${heading}>`
    : `<${heading} class="heading" data-part="title" title="${title}">${title}</${heading}>`;

/** Always shows the slug, because a display name can be anything, including "Vitrine". */
function publisherHtml({ name, slug }: BarContent["publisher"]): string {
  const handle = `<span class="handle">@${escapeHtml(slug)}</span>`;
  if (name === undefined || name === slug) return `<p class="by" title="@${escapeHtml(slug)}">by ${handle}</p>`;
  return `<p class="by" title="${escapeHtml(`${name} @${slug}`)}">by <bdi>${escapeHtml(name)}</bdi> ${handle}</p>`;
}

function actionsHtml({ versionUrl, share, portalUrl, comments }: BarContent): string {
  const link = (part: string, url: string, icon: string, text: string, more = "") =>
    `<a data-part="${part}" href="${escapeHtml(url)}"${more}>${icon}<span>${text}</span></a>`;
  const button = (part: string, icon: string, text: string, more = "") =>
    `<button data-part="${part}" type="button"${more}>${icon}<span>${text}</span></button>`;
  const shares =
    share === undefined
      ? []
      : [
          share === true
            ? button("share", iconHtml("share"), "Share")
            : link("share", share, iconHtml("share"), "Share"),
        ];
  const commenting =
    comments === undefined
      ? []
      : [
          comments === true
            ? button(
                "comments",
                iconHtml("message"),
                'Comments</span><span data-part="unread" class="count" hidden>',
                ' aria-expanded="false" aria-keyshortcuts="m" aria-label="Comments" title="Comments (M)"',
              )
            : link("sign-in", comments, iconHtml("message"), "Sign in to comment", ' title="Sign in to comment"'),
        ];
  const version =
    versionUrl === undefined
      ? []
      : [
          link(
            "version-link",
            versionUrl,
            iconHtml("external"),
            "Open version link",
            ' target="_blank" rel="noopener"',
          ),
        ];
  const portal = portalUrl === undefined ? [] : [link("portal", portalUrl, iconHtml("layout"), "Open in Vitrine")];
  return [
    ...shares,
    ...commenting,
    button("copy", iconHtml("link"), "Copy link"),
    button("present", iconHtml("present"), "Present", ' aria-keyshortcuts="f" title="Present (F)"'),
    ...version,
    ...portal,
  ].join("\n");
}
