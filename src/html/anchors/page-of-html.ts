import { createTextExtractor } from "../text.ts";
import { type AnchorPage, createPageBuilder } from "./page.ts";

/** Reads a page from its file. What its scripts would draw is missing, so it counts as partial if it has scripts. */
export function pageOfHtml(html: string): AnchorPage {
  const builder = createPageBuilder();
  const extractor = createTextExtractor(builder);
  extractor.push(html);
  extractor.end();
  return builder.build(/<script[\s>]/i.test(html));
}
