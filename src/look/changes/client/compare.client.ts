import { comparePages, type PageComparison } from "../../../html/changes/compare-pages.ts";
import type { RenderedPages } from "./rendered.ts";

const PATH = "index.html";

/** What changed, without what can't be said of rendered pages. */
export type RenderedChanges = Pick<PageComparison, "summary" | "changes" | "anchors" | "isCut">;

/** Returns digests that say only which files differ. */
const digestsOf = (paths: readonly string[], which: string) => Object.fromEntries(paths.map((path) => [path, which]));

addEventListener("message", ({ data: { before, after, changedFiles } }: MessageEvent<RenderedPages>) => {
  const { summary, changes, anchors, isCut } = comparePages(
    { html: before, path: PATH, digests: digestsOf(changedFiles, "before") },
    { html: after, path: PATH, digests: digestsOf(changedFiles, "after") },
  );
  const compared: RenderedChanges = { summary, changes, anchors, isCut };
  postMessage(compared);
});
