import type { PageComparison } from "../../../html/changes/compare-pages.ts";
import { connectToFrame } from "../../frame/client/connection.ts";

/** Milliseconds for a page to load and settle, and for two to be compared. */
const RENDERING = 20_000;
const COMPARING = 20_000;

/** The address of the script that compares pages, which the build puts in. */
declare const COMPARE_WORKER: string;

/** Two pages as scripts have left them. */
export interface RenderedPages {
  before: string;
  after: string;
  /** The paths of files that differ between them. */
  changedFiles: readonly string[];
}

/** What changed, without what can't be said of rendered pages. */
export type RenderedChanges = Pick<PageComparison, "summary" | "changes" | "anchors" | "isCut">;

/**
 * Returns the page of a frame with the bridge as it is rendered. Adds the frame to `stage`, where readers don't see it, and removes
 * it again. Undefined if the page shows nothing, is too large or doesn't settle.
 */
export function readRendered(stage: HTMLElement, frame: HTMLIFrameElement): Promise<string | undefined> {
  frame.setAttribute("aria-hidden", "true");
  frame.tabIndex = -1;
  return new Promise((resolve) => {
    const connection = connectToFrame(() => frame, {
      connected: () => undefined,
      heard(message) {
        if (message.kind === "settled") message.isBlank ? end(undefined) : connection.send({ kind: "readPage" });
        if (message.kind === "page") end(message.html ?? undefined);
      },
    });
    const timer = setTimeout(() => end(undefined), RENDERING);
    function end(html: string | undefined): void {
      clearTimeout(timer);
      connection.stop();
      frame.remove();
      resolve(html);
    }
    stage.append(frame);
  });
}

/** Returns what changed between two pages; undefined if that can't be said. */
export function compareRendered(pages: RenderedPages): Promise<RenderedChanges | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(COMPARE_WORKER);
    const timer = setTimeout(() => end(undefined), COMPARING);
    function end(changes: RenderedChanges | undefined): void {
      clearTimeout(timer);
      worker.terminate();
      resolve(changes);
    }
    worker.onmessage = ({ data }: MessageEvent<RenderedChanges>) => end(data);
    worker.onerror = () => end(undefined);
    worker.postMessage(pages);
  });
}
