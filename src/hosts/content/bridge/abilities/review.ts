import type { ReviewMessage } from "../../../../contract/bridge/review.ts";
import type { RequestOf, Send } from "../connection.ts";
import { adopt, HIGHLIGHTS } from "../review/highlights.ts";

const EMPHASIZED = "background-color:rgb(255 179 0/.75);color:#000";
/** How highlights look. Their colors start at the root, from which most browsers let all elements inherit them. */
const STYLES = [
  [HIGHLIGHTS.comment.usual, "background-color:rgb(255 213 79/.45)"],
  [HIGHLIGHTS.comment.emphasized, EMPHASIZED],
  [HIGHLIGHTS.change.usual, "background-color:rgb(74 192 120/.4)"],
  [HIGHLIGHTS.change.emphasized, EMPHASIZED],
];

export interface ReviewScript {
  /** Shows comments on this page, and lets the reader choose what to comment on, as the port says. */
  startReview(port: MessagePort, highlights: CSSStyleSheet | undefined): void;
}

/** Creates the handler that starts a review. Its code loads with the first one, so that other readers don't wait for it. */
export function createReviews(script: HTMLScriptElement) {
  // Read before the report's own scripts can say what it is.
  const address = location.origin + script.dataset.review;
  // Adding the sheet later makes browsers recompute the style of every element. Older browsers have no highlights.
  const highlights = typeof Highlight === "undefined" ? undefined : new CSSStyleSheet();
  highlights?.replaceSync(STYLES.map(([name, style]) => `:root::highlight(${name}){${style}}`).join(""));
  if (highlights !== undefined) adopt(highlights);

  return (_request: RequestOf<"openReview">, _send: Send, [port]: readonly MessagePort[]): void => {
    const load: Promise<ReviewScript> = import(address);
    load.then(
      ({ startReview }) => port !== undefined && startReview(port, highlights),
      () => port?.postMessage({ kind: "failed" } satisfies ReviewMessage),
    );
  };
}
