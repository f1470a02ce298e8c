import type { ReviewMessage, ReviewRequest } from "../../../contract/bridge/review.ts";
import type { Anchor, Resolution } from "../../../html/anchors/anchor.ts";
import { resolveInSteps } from "../../../html/anchors/resolve.ts";
import { runInSlices } from "../../../look/slices.ts";
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
  /** Grows with each reading, so that an older one that is still running gives up. */
  let reading = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isReportPending = false;

  const send = (message: ReviewMessage): void => port.postMessage(message);

  /** Reads the page and finds the anchors in it. */
  async function resolve(): Promise<void> {
    const own = ++reading;
    const isStale = () => own !== reading;
    const here = anchors.filter(({ anchor }) => anchor.kind !== "report" && anchor.path === path);
    if (here.length === 0) {
      found = new Map();
      show(new Map());
      return;
    }
    const rendered = page ?? (await runInSlices(readPage(document), isStale));
    if (rendered === undefined || isStale()) return;
    page = rendered;
    const steps = resolveInSteps(
      here.map(({ anchor }) => anchor),
      rendered.page,
    );
    const resolutions = await runInSlices(steps, isStale);
    if (resolutions === undefined || isStale()) return;
    const next = new Map<number, Resolution>(
      here.map(({ id }, index) => [id, resolutions[index] ?? { place: "unknown" }]),
    );
    const shapes = await runInSlices(shapesIn(rendered, next), isStale);
    if (shapes === undefined) return;
    found = next;
    show(shapes);
  }

  /** Returns what the document shows of each that was found. */
  function* shapesIn({ shapeOf }: RenderedPage, resolutions: Map<number, Resolution>) {
    const shapes = new Map<number, Shape | undefined>();
    for (const [id, { target }] of resolutions) {
      if (target !== undefined) shapes.set(id, shapeOf(target));
      yield;
    }
    return shapes;
  }

  function show(shapes: Map<number, Shape | undefined>): void {
    painting.show(shapes);
    // To measure where they are takes a turn too.
    setTimeout(report);
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

  function readAgain(): void {
    page = undefined;
    clearTimeout(timer);
    if (anchors.length > 0) timer = setTimeout(() => void resolve(), QUIET);
  }

  const choosing = createChoosing({
    path,
    page: async () => {
      page ??= await runInSlices(readPage(document), () => false);
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
