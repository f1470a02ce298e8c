import { escapeHtml } from "./html.ts";

interface Embed {
  url: string;
  title: string;
  width: string;
  height: number;
  /** What the frame may do, as the values of its attributes. */
  sandbox: string;
  allow: string;
}

/** Returns the HTML with which any page shows a report in a frame. */
export const embedHtml = ({ url, title, width, height, sandbox, allow }: Embed): string =>
  `<iframe src="${escapeHtml(url)}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" loading="lazy" sandbox="${sandbox}" allow="${allow}"></iframe>`;
