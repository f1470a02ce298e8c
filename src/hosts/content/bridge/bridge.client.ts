import { watchContent } from "./abilities/content.ts";
import { watchErrors } from "./abilities/errors.ts";
import { readPage } from "./abilities/page.ts";
import { createPictures } from "./abilities/picture.ts";
import { createReviews } from "./abilities/review.ts";
import { followScrolling, scrollBy, scrollTo } from "./abilities/scrolling.ts";
import { watchStorage } from "./abilities/storage.ts";
import { connect } from "./connection.ts";
import { afterPaint } from "./moments.ts";

/**
 * Runs in a report that a page of Vitrine frames, before the report's own scripts, and tells that page about it. It leaves
 * no global and no element behind. Each ability is a module that gets `send`.
 */
function start(script: HTMLScriptElement): void {
  script.remove();
  // In a tab, or in a frame of another report, nothing listens.
  if (parent === window || (parent !== top && isInReport())) return;
  const send = connect(parent, {
    scrollTo,
    scrollBy,
    readPage,
    takePicture: createPictures(script),
    openReview: createReviews(script),
  });
  watchStorage(send);
  watchErrors(send);
  afterPaint(() => {
    watchContent(send);
    followScrolling(send);
  });
}

/** Returns whether a report frames this page, which has no origin. A guest's page has one, and may be in another site's frame. */
function isInReport(): boolean {
  const [around = "null"] = location.ancestorOrigins ?? [];
  return around === "null";
}

const { currentScript } = document;
if (currentScript instanceof HTMLScriptElement) start(currentScript);
