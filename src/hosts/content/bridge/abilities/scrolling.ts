import type { RequestOf, Send } from "../connection.ts";
import { afterPaint, onceLoaded } from "../moments.ts";

/** Reports the page's size and where it is scrolled to, at most once a frame. */
export function followScrolling(send: Send): void {
  let isPending = false;
  let last = "";

  function report(): void {
    isPending = false;
    const page = document.scrollingElement ?? document.documentElement;
    const { scrollLeft: left, scrollTop: top, scrollWidth: width, scrollHeight: height } = page;
    const state = `${left} ${top} ${width} ${height}`;
    if (state !== last) send({ kind: "scroll", left, top, width, height });
    last = state;
  }

  function reportSoon(): void {
    if (isPending) return;
    isPending = true;
    requestAnimationFrame(report);
  }

  addEventListener("scroll", reportSoon);
  addEventListener("resize", reportSoon);
  // It reports once as soon as it observes, which takes a frame.
  onceLoaded(() => afterPaint(() => new ResizeObserver(reportSoon).observe(document.documentElement)));
}

/** Scrolls the page to a place. */
export const scrollTo = (place: RequestOf<"scrollTo">): void => window.scrollTo(place);
/** Scrolls the page by a distance, wherever it is by then. */
export const scrollBy = (distance: RequestOf<"scrollBy">): void => window.scrollBy(distance);
