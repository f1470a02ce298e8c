import type { ReviewMessage, ReviewRequest } from "../../../contract/bridge/review.ts";
import type { Anchor, Resolution } from "../../../html/anchors/anchor.ts";
import { resolveInSteps } from "../../../html/anchors/resolve.ts";
import { nextTurn, runInSlices } from "../../../look/slices.ts";
import { createChoosing } from "./review/choosing.ts";
import { createPainting } from "./review/painting.ts";
import { pathOfPage, type RenderedPage, readPage, type Shape } from "./review/rendered-page.ts";

/** Milliseconds without a change after which a changed page is read again. */
const QUIET = 400;
/** Milliseconds between reports of positions. */
const PACE = 100;

/** Shows comments on this page, and lets the reader choose what to comment on. Changes nothing in the document. */
export function startReview(port: MessagePort, highlights: CSSStyleSheet | undefined): void {
  const path = pathOfPage(location.pathname);
  const painting = createPainting(highlights);
  let anchors: { id: number; anchor: Anchor }[] = [];
  let found = new Map<number, Resolution>();
  let page: RenderedPage | undefined;
  let changes = 0;
  /** Grows with each reading, so that an older one that is still running gives up. */
  let reading = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReportPending = false;

  const send = (message: ReviewMessage): void => port.postMessage(message);

  /** Shows where the anchors of this page are. */
  async function resolve(): Promise<void> {
    const own = ++reading;
    const here = anchors.filter(({ anchor }) => anchor.kind !== "report" && anchor.path === path);
    const placed = await runInSlices(place(here), () => own !== reading);
    if (placed === undefined) return;
    found = placed.found;
    painting.place(placed.shapes);
    report();
    // The page around may share this thread, and hears of the places before the browser paints hundreds of them.
    await nextTurn();
    painting.paint();
  }

  /** Reads the page, unless nothing is to be found in it, and finds anchors and what the document shows of them. */
  function* place(here: typeof anchors) {
    const places = new Map<number, Resolution>();
    const shapes = new Map<number, Shape | undefined>();
    if (here.length === 0) return { found: places, shapes };
    page ??= yield* readThis();
    const { page: text, shapeOf } = page;
    const resolutions = yield* resolveInSteps(
      here.map(({ anchor }) => anchor),
      text,
    );
    for (const [index, { id }] of here.entries()) {
      const resolution = resolutions[index] ?? { place: "unknown" };
      places.set(id, resolution);
      if (resolution.target !== undefined) shapes.set(id, shapeOf(resolution.target));
      yield;
    }
    return { found: places, shapes };
  }

  /** Says where the anchors are now. */
  function report(): void {
    isReportPending = false;
    const placed = [...found].map(([id, { place }]) => ({ id, place, top: painting.topOf(id) }));
    send({ kind: "placed", placed });
  }

  function reportSoon(): void {
    if (isReportPending || found.size === 0) return;
    isReportPending = true;
    setTimeout(report, PACE);
  }

  function readThis() {
    const known = changes;
    return readPage(document, () => changes === known);
  }

  function readAgain(): void {
    changes++;
    page = undefined;
    clearTimeout(timer);
    if (anchors.length === 0) return;
    timer = setTimeout(() => {
      // A reading that began before the change may have ended after it.
      page = undefined;
      void resolve();
    }, QUIET);
  }

  const choosing = createChoosing({
    path,
    page: async () => {
      page ??= await runInSlices(readThis(), () => false);
      return page;
    },
    anchorAt: painting.at,
    outline: painting.choose,
    send,
  });

  function handle(request: ReviewRequest): void {
    if (request.kind === "anchors") {
      anchors = request.anchors;
      painting.setStyle(request.style ?? "comment");
      void resolve();
    } else if (request.kind === "emphasize") painting.emphasize(request.id);
    else if (request.kind === "reveal") painting.reveal(request.id);
    else choosing.pick(request.isOn);
  }

  port.onmessage = ({ data }: MessageEvent<ReviewRequest>) => handle(data);
  new MutationObserver(readAgain).observe(document, { childList: true, characterData: true, subtree: true });
  new ResizeObserver(reportSoon).observe(document.documentElement);
  // What scrolls inside the page moves what is in it.
  addEventListener("scroll", ({ target }) => target !== document && reportSoon(), true);
  send({ kind: "ready" });
}
