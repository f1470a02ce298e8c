import { expect, test } from "bun:test";
import { describeFigure } from "../../../src/html/anchors/describe.ts";
import { createPageBuilder, type PageFigure } from "../../../src/html/anchors/page.ts";
import { resolveAnchors } from "../../../src/html/anchors/resolve.ts";

/** A heading, or a figure. */
type Part = string | Partial<PageFigure>;

function pageOf(parts: readonly Part[]) {
  const builder = createPageBuilder();
  for (const part of parts) {
    if (typeof part === "string") {
      builder.tag("h2", true);
      builder.text(part);
      builder.tag("h2", false);
    } else builder.figure({ kind: "image", ...part });
  }
  return builder.build(false);
}

const image = (digest: string, alt = "") => ({ digest, alt });
const canvas = { kind: "chart", library: "canvas", series: [] } as const;
const plotly = (title: string, ...series: string[]) => ({ kind: "chart", library: "plotly", title, series }) as const;
const UNDESCRIBED = "No description has been provided for this image";

interface Case {
  before: readonly Part[];
  after: readonly Part[];
  /** What became of each figure of the first page, and its place among those of the second. */
  places: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "what is unchanged is found, also if nothing names it": {
    before: ["A", image("1"), image("1"), canvas, canvas, "B", canvas, plotly("")],
    after: ["A", image("1"), image("1"), canvas, canvas, "B", canvas, plotly("")],
    places: ["exact 0", "exact 1", "exact 2", "exact 3", "exact 4", "exact 5"],
  },
  "pictures that are drawn anew keep their places": {
    before: ["A", image("1"), "B", image("2", UNDESCRIBED), image("3", UNDESCRIBED)],
    after: ["A", image("4"), "B", image("5", UNDESCRIBED), image("6", UNDESCRIBED)],
    places: ["changed 0", "changed 1", "changed 2"],
  },
  "sections are in another order": {
    before: ["A", image("1"), canvas, "B", canvas, plotly("Orders", "North")],
    after: ["B", canvas, plotly("Orders", "North", "South"), "A", image("2"), canvas],
    places: ["changed 2", "changed 3", "changed 0", "changed 1"],
  },
  "one of several without names was added or taken away": {
    before: ["A", canvas, canvas, "B", image("1"), image("2")],
    after: ["A", canvas, "B", image("3"), image("4"), image("5")],
    places: ["gone", "gone", "gone", "gone"],
  },
  "one of several with the same name was taken away": {
    before: [
      "A",
      image("1", "Trend"),
      plotly("Orders"),
      "B",
      plotly("Orders"),
      "C",
      image("2", "Map"),
      image("3", "Map"),
    ],
    after: ["A", image("1", "Trend"), "B", plotly("Orders"), "C", image("4", "Map")],
    places: ["exact 0", "gone", "exact 1", "gone", "gone"],
  },
  "what has another name is another": {
    before: ["A", plotly("Orders", "North"), image("1", "Trend"), "B", image("2", "Map")],
    after: ["A", plotly("Returns", "Paris"), image("2", "Share"), "C", image("3", "Map")],
    places: ["gone", "gone", "moved 1"],
  },
};

test.each(Object.entries(CASES))("%s", (_, { before, after, places }) => {
  const [old, now] = [pageOf(before), pageOf(after)];
  const anchors = old.figures.flatMap((_figure, index) => describeFigure(old, "index.html", index) ?? []);
  const found = resolveAnchors(anchors, now).map(({ place, target }) =>
    target?.kind === "figure" ? `${place} ${target.figure}` : place,
  );
  expect(found).toEqual([...places]);
});
