import type { Anchor, Place, Target } from "../../../html/anchors/anchor.ts";
import type { AnchorPage } from "../../../html/anchors/page.ts";
import { pageOfHtml } from "../../../html/anchors/page-of-html.ts";
import { resolveAnchors } from "../../../html/anchors/resolve.ts";
import { serveCalls } from "../../../threads/serve-calls.ts";

/** The place of an anchor in a page, with its current content if that changed. */
export interface FoundPlace {
  kind: Place;
  text?: string;
  start?: number;
  end?: number;
}

export type PlaceCalls = {
  place(asked: { html: string; anchors: readonly Anchor[] }): FoundPlace[];
  warmUp(input: undefined): undefined;
};

function place({ html, anchors }: { html: string; anchors: readonly Anchor[] }): FoundPlace[] {
  const page = pageOfHtml(html);
  return resolveAnchors(anchors, page).map(({ place: kind, target }, index) => {
    if (kind === "gone" && isFigure(anchors[index])) return { kind: "unknown" };
    const range = target?.kind === "text" ? { start: target.start, end: target.end } : {};
    return { kind, ...range, ...(kind === "changed" ? { text: textAt(target, page) } : {}) };
  });
}

/** Figures aren't read from files, so that one that wasn't found may be there. */
const isFigure = (anchor: Anchor | undefined): boolean =>
  anchor?.kind === "element" && (anchor.element === "image" || anchor.element === "chart");

function textAt(target: Target | undefined, page: AnchorPage): string {
  if (target?.kind === "text") return page.text.slice(target.start, target.end);
  if (target?.kind !== "cell") return "";
  const row = page.tables[target.table]?.rows[target.row] ?? [];
  return target.column === undefined ? row.join("\t") : (row[target.column] ?? "");
}

serveCalls<undefined, PlaceCalls>(() => ({ handlers: { place, warmUp: () => undefined } }));
