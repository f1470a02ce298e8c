import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../contract/model/frames.ts";
import type { Publisher } from "../../domain/live/live.ts";
import type { Instant } from "../../domain/model/entities.ts";
import { escapeHtml, jsonForScript } from "../http/html.ts";
import { ICON_LINK } from "../http/icon.ts";
import { tabTitle } from "./tab-title.ts";

const icon = (path: string) => `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

export const ICONS = {
  more: icon("M4 6l4 4 4-4"),
  open: icon("M9 3h4v4M13 3L7 9M11 9.5V13H3V5h3.5"),
  copy: icon("M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2"),
  shield: icon("M8 1.75l5 1.9v4c0 3.2-2.1 5.5-5 6.6-2.9-1.1-5-3.4-5-6.6v-4zM5.75 8l1.6 1.6 2.9-3.1"),
};

/** A version as a shell presents it. */
export interface ShownVersion {
  title: string;
  publisher: Publisher;
  versionNo: number;
  createdAt: Instant;
}

/** What differs between the shells. Every field but `state` is HTML. */
interface ShellContent {
  head: string;
  /** Names the version and may offer others. */
  version: string;
  notes: string;
  actions: string;
  withoutScript: string;
  afterFrame: string;
  /** Passed to the script through the element `state`. */
  state: object;
}

interface ShellPage extends ShellContent {
  shown: ShownVersion;
  style: string;
  script: string;
  nonce: string;
}

/**
 * Returns the page around a framed report. The bar above the frame says who published the report and that no one should
 * type a password into it, because a report can imitate any page, including Vitrine's sign-in.
 */
export function shellPage({ shown, style, script, nonce, ...content }: ShellPage): string {
  const title = escapeHtml(shown.title);
  const by = shown.publisher.name ?? shown.publisher.slug;
  const created = new Date(shown.createdAt).toISOString();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(tabTitle(shown.title, by))}</title>
${ICON_LINK}
${content.head}<style nonce="${nonce}">${style}</style>
</head>
<body>
<header id="bar" data-publisher="${escapeHtml(by)}">
<h1 id="title" title="${title}">${title}</h1>
${publisherHtml(shown.publisher)}
${content.version}
<time id="when" datetime="${created}">${created.slice(0, 16).replace("T", " ")} UTC</time>
${content.notes}<p class="notice">${ICONS.shield}<span>Vitrine never asks for your password inside a report</span></p>
<p class="actions">${content.actions}<button id="copy" type="button">${ICONS.copy}<span>Copy link</span></button></p>
<p id="said" class="unseen" role="status"></p>
</header>
<main id="stage"><noscript><p class="plain">${content.withoutScript}</p></noscript><iframe title="${title}" sandbox="${SANDBOX_TOKENS}" allow="${FRAME_FEATURES}"></iframe></main>
${content.afterFrame}<script id="state" type="application/json">${jsonForScript(content.state)}</script>
<script nonce="${nonce}">${script}</script>
</body>
</html>
`;
}

/** Always shows the slug, because a display name can be anything, including "Vitrine". */
function publisherHtml({ name, slug }: Publisher): string {
  const handle = `<span class="handle">@${escapeHtml(slug)}</span>`;
  if (name === undefined || name === slug) return `<p class="by" title="@${escapeHtml(slug)}">by ${handle}</p>`;
  return `<p class="by" title="${escapeHtml(`${name} @${slug}`)}">by <bdi>${escapeHtml(name)}</bdi> ${handle}</p>`;
}
