import type { ReviewMessage } from "../../../../contract/bridge/review.ts";
import type { RequestOf, Send } from "../connection.ts";
import { adopt, highlightSheet } from "../review/highlights.ts";

export interface ReviewScript {
  /** Shows comments on this page, and lets the reader choose what to comment on, as the port says. */
  startReview(port: MessagePort, highlights: CSSStyleSheet | undefined): void;
}

/** Creates the handler that starts a review. Its code loads with the first one, so that other readers don't wait for it. */
export function createReviews(script: HTMLScriptElement) {
  const address = new URL(script.dataset.review ?? "", location.href).href;
  const failed: ReviewMessage = { kind: "failed" };
  // A sheet that comes later makes browsers compute the style of every element anew. Older browsers have no highlights.
  const highlights = typeof Highlight === "undefined" ? undefined : highlightSheet(":root");
  if (highlights !== undefined) adopt(highlights);

  return (_request: RequestOf<"openReview">, _send: Send, [port]: readonly MessagePort[]): void => {
    const load: Promise<ReviewScript> = import(address);
    load.then(
      ({ startReview }) => port !== undefined && startReview(port, highlights),
      () => port?.postMessage(failed),
    );
  };
}
