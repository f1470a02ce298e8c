import { comparePages } from "../../../html/changes/compare-pages.ts";
import type { RenderedChanges, RenderedPages } from "./rendered.ts";

const PATH = "index.html";

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
