import { escapeHtml } from "./html.ts";

interface Embed {
  url: string;
  title: string;
  width: string;
  height: number;
  /** What the frame may do, as the values of its attributes. Without a sandbox, the page has its own origin. */
  sandbox?: string;
  allow: string;
  referrerPolicy?: string;
}

/** Returns the HTML with which any page shows a report in a frame. */
export function embedHtml({ url, title, width, height, sandbox, allow, referrerPolicy }: Embed): string {
  const limits = [
    ...(referrerPolicy === undefined ? [] : [`referrerpolicy="${referrerPolicy}"`]),
    ...(sandbox === undefined ? [] : [`sandbox="${sandbox}"`]),
    `allow="${allow}"`,
  ].join(" ");
  return `<iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" loading="lazy" ${limits}></iframe>`;
}
