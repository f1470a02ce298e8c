import { ANCHOR_LIMITS, type ElementAnchor, type TextAnchor } from "./anchor.ts";
import { placeAmongAlike, textAround } from "./figures.ts";
import { type AnchorPage, headingsAt } from "./page.ts";

/** Returns the anchor of a part of a page's text; undefined if the part has no text. */
export function describeText(page: AnchorPage, path: string, start: number, end: number): TextAnchor | undefined {
  const selected = page.text.slice(start, end);
  const from = start + selected.length - selected.trimStart().length;
  const quote = selected.trim().slice(0, ANCHOR_LIMITS.quote).trim();
  if (quote === "") return undefined;
  const to = from + quote.length;
  return {
    kind: "text",
    path,
    quote,
    prefix: page.text.slice(Math.max(0, from - ANCHOR_LIMITS.context), from),
    suffix: page.text.slice(to, to + ANCHOR_LIMITS.context),
    start: from,
    end: to,
    headings: namesOf(headingsAt(page, from)),
  };
}

/** Returns the anchor of a table's cell; undefined if its row or column has no name, because numbers alone are no anchor. */
export function describeCell(
  page: AnchorPage,
  path: string,
  { table: index, row, column }: { table: number; row: number; column: number },
): ElementAnchor | undefined {
  const table = page.tables[index];
  const cells = table?.rows[row] ?? [];
  const [key = ""] = cells;
  const name = table?.header[column] ?? "";
  if (table === undefined || key === "" || name === "") return undefined;
  const { name: longest, names, label, text } = ANCHOR_LIMITS;
  return {
    kind: "element",
    ...{ path, element: "cell", label: `${name}, ${key}`.slice(0, label) },
    headings: namesOf(headingsAt(page, table.start)),
    fingerprint: {
      text: (cells[column] ?? "").slice(0, text),
      table: {
        index,
        header: table.header.slice(0, names).map((each) => each.slice(0, longest)),
        row_key: key.slice(0, longest),
        column_key: name.slice(0, longest),
      },
      index: 0,
    },
  };
}

/** Returns the anchor of an image or a chart. */
export function describeFigure(page: AnchorPage, path: string, index: number): ElementAnchor | undefined {
  const figure = page.figures[index];
  if (figure === undefined) return undefined;
  const { kind, digest, alt, src, library = "", title, series = [] } = figure;
  const label = (kind === "image" ? alt || src : title) || (kind === "image" ? "Image" : "Chart");
  return {
    kind: "element",
    ...{ path, element: kind, label: label.slice(0, ANCHOR_LIMITS.label) },
    headings: namesOf(headingsAt(page, figure.start)),
    fingerprint: {
      text: textAround(page, figure),
      ...(kind === "image" ? { image: { digest, alt, src } } : { chart: { library, title, series: [...series] } }),
      ...placeAmongAlike(page, figure),
    },
  };
}

/** Returns headings, shortened to what an anchor may hold. */
export const namesOf = (headings: readonly string[]): string[] =>
  headings.slice(-ANCHOR_LIMITS.headings).map((heading) => heading.slice(0, ANCHOR_LIMITS.heading));
