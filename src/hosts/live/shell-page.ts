import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../contract/model/frames.ts";
import type { Publisher } from "../../domain/live/live.ts";
import type { Rights } from "../../domain/model/access.ts";
import type { Instant } from "../../domain/model/entities.ts";
import { type BarContent, barHtml } from "../../look/bar/markup.ts";
import { escapeHtml } from "../../look/html.ts";
import { ICON_LINK } from "../http/icon.ts";
import { jsonForScript } from "../http/script-json.ts";
import { tabTitle } from "./tab-title.ts";

/** A version as a shell presents it. */
export interface ShownVersion {
  code: string;
  title: string;
  publisher: Publisher;
  versionNo: number;
  createdAt: Instant;
  /** What the reader may do beyond reading. */
  rights: Rights;
}

/** What differs between the shells. Every field but `bar` and `state` is HTML. */
interface ShellContent {
  head: string;
  bar: Pick<BarContent, "isLive" | "versionUrl" | "isRecorded" | "comments">;
  withoutScript: string;
  afterFrame: string;
  /** Passed to the script through the element `state`. */
  state: object;
}

interface ShellPage extends ShellContent {
  shown: ShownVersion;
  /** How the portal refers to the report. */
  reference: string;
  style: string;
  script: string;
  nonce: string;
}

/**
 * Returns the page around a framed report. The bar above the frame says who published the report and that no one should
 * type a password into it, because a report can imitate any page, including Vitrine's sign-in.
 */
export function shellPage({ shown, reference, style, script, nonce, ...content }: ShellPage): string {
  const { publisher, versionNo, rights } = shown;
  const createdAt = new Date(shown.createdAt).toISOString();
  const portalUrl = `/-/r/${reference}`;
  const bar = barHtml({
    ...{ title: shown.title, publisher, versionNo, createdAt, heading: "h1" },
    ...content.bar,
    share: rights.mayControl ? `${portalUrl}?share=true` : undefined,
    portalUrl: rights.isMember ? portalUrl : undefined,
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(tabTitle(shown.title, publisher.name ?? publisher.slug))}</title>
${ICON_LINK}
${content.head}<style nonce="${nonce}">${style}</style>
</head>
<body>
${bar}
<main id="stage"><noscript><p class="plain">${content.withoutScript}</p></noscript>${frameHtml(shown.title)}</main>
${content.afterFrame}<script id="state" type="application/json">${jsonForScript(content.state)}</script>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/** Returns the frame of a report, which the script leads to it. */
export const frameHtml = (title: string): string =>
  `<iframe title="${escapeHtml(title)}" sandbox="${SANDBOX_TOKENS}" allow="${FRAME_FEATURES}"></iframe>`;
