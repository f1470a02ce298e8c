import { connectToFrame } from "../../../look/frame/client/connection.ts";
import type { ChangesFact, VersionFact } from "../messages.ts";
import { part } from "./page-parts.ts";
import { prepareFrame } from "./prepare-frame.ts";
import { withBridge, withOwnAddress } from "./report-addresses.ts";

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

/**
 * Returns the page of a version as it is rendered, which a frame does that the reader doesn't see. Undefined if it shows nothing, is
 * too large or doesn't settle.
 */
export function readRendered(like: HTMLIFrameElement, { src }: VersionFact): Promise<string | undefined> {
  const frame = prepareFrame(like, withOwnAddress(withBridge(src)), "");
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
    part("stage", HTMLElement).append(frame);
  });
}

/** Returns what changed between two pages; undefined if that can't be said. */
export function compareRendered(pages: RenderedPages): Promise<ChangesFact | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(COMPARE_WORKER);
    const timer = setTimeout(() => end(undefined), COMPARING);
    function end(fact: ChangesFact | undefined): void {
      clearTimeout(timer);
      worker.terminate();
      resolve(fact);
    }
    worker.onmessage = ({ data }: MessageEvent<ChangesFact>) => end(data);
    worker.onerror = () => end(undefined);
    worker.postMessage(pages);
  });
}
