import { CARD_SIZE, type Card } from "../../domain/cards/cards.ts";
import { escapeHtml } from "../../look/html.ts";

/** The addresses of a link that sites show which preview it. */
export interface PreviewLinks {
  url: string;
  cardUrl: string;
  oembedUrl: string;
}

/** Returns what sites that preview links read: the card of a report. */
export function previewTags(
  { title, author, versionNo, createdAt }: Pick<Card, "title" | "author" | "versionNo" | "createdAt">,
  { url, cardUrl, oembedUrl }: PreviewLinks,
): string {
  const description = `Version ${versionNo}, published ${new Date(createdAt).toISOString().slice(0, 10)} by ${author}`;
  const tags = [
    ["name", "description", description],
    ["name", "author", author],
    ["property", "og:type", "article"],
    ["property", "og:site_name", "Vitrine"],
    ["property", "og:title", title],
    ["property", "og:description", description],
    ["property", "og:url", url],
    ["property", "og:image", cardUrl],
    ["property", "og:image:type", "image/png"],
    ["property", "og:image:width", String(CARD_SIZE.width)],
    ["property", "og:image:height", String(CARD_SIZE.height)],
    ["property", "og:image:alt", title],
    ["property", "article:published_time", new Date(createdAt).toISOString()],
    ["name", "twitter:card", "summary_large_image"],
    ["name", "twitter:title", title],
    ["name", "twitter:description", description],
    ["name", "twitter:image", cardUrl],
  ] as const;
  const lines = tags.map(([key, name, content]) => `<meta ${key}="${name}" content="${escapeHtml(content)}">\n`);
  const discovery = `<link rel="alternate" type="application/json+oembed" href="${escapeHtml(oembedUrl)}" title="${escapeHtml(title)}">\n`;
  return lines.join("") + discovery;
}
