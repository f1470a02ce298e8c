import type { ReviewMessage } from "../../../../contract/bridge/review.ts";
import type { RequestOf, Send } from "../connection.ts";

export interface ReviewScript {
  /** Shows comments on this page, and lets the reader choose what to comment on, as the port says. */
  startReview(port: MessagePort): void;
}

/** Creates the handler that starts a review. Its code loads with the first one, so that other readers don't wait for it. */
export function createReviews(script: HTMLScriptElement) {
  const address = new URL(script.dataset.review ?? "", location.href).href;
  const failed: ReviewMessage = { kind: "failed" };

  return (_request: RequestOf<"openReview">, _send: Send, [port]: readonly MessagePort[]): void => {
    const load: Promise<ReviewScript> = import(address);
    load.then(
      ({ startReview }) => port !== undefined && startReview(port),
      () => port?.postMessage(failed),
    );
  };
}
