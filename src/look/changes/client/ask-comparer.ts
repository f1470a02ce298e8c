import type { Stretch } from "../../../html/changes/compare-lines.ts";
import type { PageComparison } from "../../../html/changes/compare-pages.ts";
import type { Pictures, PixelComparison } from "./compare-pixels.ts";

/** Milliseconds for one question. */
const ANSWERING = 20_000;

/** The address of the script that compares, which the build puts in. */
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

/** Where the images of two pages come from, as the pages say it; undefined for what is part of a page. */
export interface ImageAddresses {
  before: string | undefined;
  after: string | undefined;
}

/** What the script can be asked. */
export interface Questions {
  pages: RenderedPages;
  /** `places` are the indexes of images among the blocks of the pages. */
  addresses: { before: string; after: string; places: readonly { before: number; after: number }[] };
  pixels: Pictures;
  lines: { before: readonly string[]; after: readonly string[] };
}

export interface Answers {
  pages: RenderedChanges;
  addresses: ImageAddresses[];
  /** Undefined if a browser can't show one of the pictures, or if one is too large. */
  pixels: PixelComparison | undefined;
  /** Undefined if the texts are too different. */
  lines: readonly Stretch[] | undefined;
}

export interface Question<Kind extends keyof Questions> {
  kind: Kind;
  asked: Questions[Kind];
}

/** Asks the script that compares, in a separate thread. Returns undefined if it has no answer in time. */
export function askComparer<Kind extends keyof Questions>(
  kind: Kind,
  asked: Questions[Kind],
): Promise<Answers[Kind] | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(COMPARE_WORKER);
    const timer = setTimeout(() => end(undefined), ANSWERING);
    function end(answer: Answers[Kind] | undefined): void {
      clearTimeout(timer);
      worker.terminate();
      resolve(answer);
    }
    worker.onmessage = ({ data }: MessageEvent<Answers[Kind] | undefined>) => end(data);
    worker.onerror = () => end(undefined);
    const question: Question<Kind> = { kind, asked };
    worker.postMessage(question);
  });
}
