import { FRAME_FEATURES, SANDBOX_TOKENS } from "../../../client/definitions.ts";
import { type ChangesEntry, previewsRoute } from "../../../client/routes.ts";
import { askComparer, type RenderedChanges } from "../../../look/changes/client/ask-comparer.ts";
import { readRendered } from "../../../look/changes/client/rendered.ts";
import { api } from "../../api/client.ts";
import classes from "./rendered-changes.module.css";

/** What changed, and whether the pages were compared as rendered. */
export type FoundChanges = Omit<ChangesEntry, "rendered"> & {
  rendered: boolean;
  /** The pages as they were rendered, if they were. */
  pages?: { before: string; after: string };
};

/** Compares two versions as they are rendered here. Returns what the server found if that can't be done. */
export async function findRendered(filed: FoundChanges): Promise<FoundChanges> {
  const [before, after] = await renderAll([filed.from.code, filed.to.code]);
  if (before === undefined || after === undefined) return filed;
  const compared = await askComparer("pages", { before, after, changedFiles: filed.changed_files });
  return compared === undefined
    ? filed
    : { ...filed, rendered: true, pages: { before, after }, ...entriesOf(compared) };
}

/** Returns the pages of versions as frames render them that the reader doesn't see. */
async function renderAll(codes: string[]): Promise<(string | undefined)[]> {
  const { previews } = await api.call(previewsRoute, { query: { code: codes } });
  const stage = document.createElement("div");
  stage.className = classes.stage ?? "";
  document.body.append(stage);
  try {
    const pages = [];
    // One after the other, since charts take their time.
    for (const { src } of previews) pages.push(await readRendered(stage, frameOf(src)));
    return pages;
  } finally {
    stage.remove();
  }
}

function frameOf(src: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", SANDBOX_TOKENS);
  frame.setAttribute("allow", FRAME_FEATURES);
  frame.src = src;
  return frame;
}

const entriesOf = ({ summary, changes, anchors, isCut }: RenderedChanges) => ({
  ...{ summary: summary.sentence, total: summary.total, truncated: isCut },
  changes: changes.map(({ oldPlace: old_place, newPlace: new_place, headings, ...change }, index) => ({
    ...change,
    ...{ headings: [...headings], old_place, new_place, anchor: anchors[index] ?? null },
  })),
});
