import { ANCHOR_LIMITS, type TextAnchor } from "./anchor.ts";
import { type AnchorPage, headingsAt } from "./page.ts";

/** Returns the anchor of a part of a page's text; undefined if the part has no text. */
export function describeText(page: AnchorPage, path: string, start: number, end: number): TextAnchor | undefined {
  const selected = page.text.slice(start, end);
  const from = start + selected.length - selected.trimStart().length;
  const quote = selected.trim().slice(0, ANCHOR_LIMITS.quote).trim();
  if (quote === "") return undefined;
  const to = from + quote.length;
  return {
    kind: "text",
    path,
    quote,
    prefix: page.text.slice(Math.max(0, from - ANCHOR_LIMITS.context), from),
    suffix: page.text.slice(to, to + ANCHOR_LIMITS.context),
    start: from,
    end: to,
    headings: namesOf(headingsAt(page, from)),
  };
}

/** Returns headings, shortened to what an anchor may hold. */
export const namesOf = (headings: readonly string[]): string[] =>
  headings.slice(-ANCHOR_LIMITS.headings).map((heading) => heading.slice(0, ANCHOR_LIMITS.heading));
