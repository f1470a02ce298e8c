import { ANCHOR_LIMITS, type Anchor, type ElementAnchor, type Fingerprint } from "../anchors/anchor.ts";
import { describeText, namesOf } from "../anchors/describe.ts";
import { placeElement } from "../anchors/elements.ts";
import { type AnchorPage, headingsAt, type PageTable } from "../anchors/page.ts";
import { type Block, type BlockOf, oneLine } from "../blocks/block.ts";
import type { Match } from "./align.ts";
import type { Change, Place } from "./change.ts";

/** A part of a page's text. */
interface Span {
  start: number;
  end: number;
}

interface NewerPage {
  blocks: readonly Block[];
  /** The blocks of the older page that are still there, and which they are in the newer one. */
  pairs: readonly Match[];
  page: AnchorPage;
  path: string;
}

/**
 * Returns the place of each change in the newer page, as anchors that a browser can find there; null if it can't find one. The
 * place of something removed is that of the block or row before it.
 */
export function anchorsOf(changes: readonly Change[], { blocks, pairs, page, path }: NewerPage): (Anchor | null)[] {
  const spans = spansOf(blocks, page);
  const kept = new Map(pairs);
  const figures = Map.groupBy(blocks.filter(isFigure), likenessOf);

  function anchorOf(change: Change): Anchor | null {
    const { newPlace, oldPlace } = change;
    if (newPlace === null) return ofRemoved(oldPlace ?? { block: 0 });
    const block = blocks[newPlace.block];
    if (block === undefined) return null;
    if (block.kind === "image" && block.isIcon === true) return null;
    if (isFigure(block)) return figureAnchor(block, figures.get(likenessOf(block)) ?? [], path);
    const span = spans[newPlace.block];
    if (span === undefined) return null;
    return block.kind === "table" ? inTable(block, span, newPlace) : inText(block.text, span, newPlace);
  }

  const textAnchor = ({ start, end }: Span): Anchor | null => describeText(page, path, start, end) ?? null;

  function inText(text: string, span: Span, { start = 0, end = text.length }: Place): Anchor | null {
    const from = span.start + lengthBefore(text, start);
    const to = span.start + lengthBefore(text, end);
    // A word was taken out: what stands there now is the word after it or before.
    return from < to ? textAnchor({ start: from, end: to }) : textAnchor(wordAt(page.text, span, from));
  }

  function inTable({ rows }: BlockOf<"table">, span: Span, { row, column }: Place): Anchor | null {
    const cells = row === undefined ? undefined : rows[row];
    const found = cells && findRow(page, span, cells, row ?? 0);
    if (found === undefined) return textAnchor(firstLine(page.text, span));
    return tableAnchor(page, path, { ...found, column }) ?? textAnchor(spanIn(page, found, column));
  }

  function ofRemoved(old: Place): Anchor | null {
    const own = kept.get(old.block);
    const [table, span] = own === undefined ? [] : [blocks[own], spans[own]];
    if (own === undefined || table?.kind !== "table" || span === undefined) return beside(old.block);
    const row = rowBefore(changes, old, { table, block: own });
    return inTable(table, span, row === undefined ? { block: own } : { block: own, row });
  }

  /** Returns the anchor of what is now before a removed block, or after it if nothing is before it. */
  function beside(old: number): Anchor | null {
    let before = old - 1;
    while (before >= 0 && !kept.has(before)) before--;
    for (let index = kept.get(before) ?? -1; index >= 0; index--) {
      const span = spans[index];
      if (span !== undefined) return textAnchor(lastLine(page.text, span));
    }
    const first = spans.find((span) => span !== undefined);
    return first === undefined ? null : textAnchor(firstLine(page.text, first));
  }

  return changes.map(anchorOf);
}

/** Returns the span of each block in the page's text. The text has the blocks in order, with other white space between words. */
function spansOf(blocks: readonly Block[], { text }: AnchorPage): (Span | undefined)[] {
  const flat = text.replace(/[\t\n]/g, " ");
  let from = 0;
  return blocks.map((block) => {
    const words = wordsOf(block);
    const [first = ""] = words;
    const start = first === "" ? -1 : flat.indexOf(first, from);
    if (start < 0) return undefined;
    let end = start + first.length;
    for (const word of words.slice(1)) {
      const at = flat.indexOf(word, end);
      // A later table may have the word too, and nothing of this one stands so far away.
      if (at >= 0 && at - end < 2_000) end = at + word.length;
    }
    from = end;
    return { start, end };
  });
}

/** Returns texts of a block in their order: for a table, its first cells and those of its last row. */
function wordsOf(block: Block): string[] {
  if (isFigure(block)) return [];
  if (block.kind !== "table") return [oneLine(block.text)];
  return [block.header, ...block.rows].map((cells) => cells.find((cell) => cell !== "") ?? "").filter(Boolean);
}

/** Returns how many characters of the page's text stand for the first ones of a block. */
const lengthBefore = (text: string, end: number): number => oneLine(`${text.slice(0, end)}\u0001`).length - 1;

function wordAt(text: string, { start, end }: Span, at: number): Span {
  const after = /^\s*\S+/.exec(text.slice(at, end))?.[0];
  if (after !== undefined) return { start: at, end: at + after.length };
  const before = /\S+\s*$/.exec(text.slice(start, at))?.[0] ?? "";
  return { start: at - before.length, end: at };
}

function firstLine(text: string, { start, end }: Span): Span {
  const line = text.indexOf("\n", start);
  return { start, end: line < 0 || line > end ? end : line };
}

function lastLine(text: string, { start, end }: Span): Span {
  const line = text.lastIndexOf("\n", end - 1);
  return { start: line < start ? start : line + 1, end };
}

/** Returns which row is now above a removed one; undefined if that is the header, or if a column was removed. */
function rowBefore(
  changes: readonly Change[],
  { block: old, row }: Place,
  { table, block }: { table: BlockOf<"table">; block: number },
): number | undefined {
  if (row === undefined) return undefined;
  const isRemovedAbove = ({ kind, oldPlace }: Change) =>
    kind === "row_removed" && oldPlace?.block === old && (oldPlace.row ?? 0) < row;
  const above = row - changes.filter(isRemovedAbove).length;
  const added = new Set(
    changes.flatMap(({ kind, newPlace }) => (kind === "row_added" && newPlace?.block === block ? newPlace.row : [])),
  );
  return [...table.rows.keys()].filter((index) => !added.has(index))[above - 1];
}

interface FoundRow {
  table: PageTable;
  index: number;
  row: number;
}

/** Returns the row of the page's tables that has these cells, at a block's place. */
function findRow(page: AnchorPage, span: Span, cells: readonly string[], row: number): FoundRow | undefined {
  for (const [index, table] of page.tables.entries()) {
    if (table.end < span.start || table.start > span.end) continue;
    const nearest = nearestRow(table.rows, cells, row);
    if (nearest !== undefined) return { table, index, row: nearest };
  }
  return undefined;
}

function nearestRow(rows: PageTable["rows"], cells: readonly string[], row: number): number | undefined {
  const isAt = (at: number) =>
    rows[at]?.length === cells.length && rows[at].every((cell, column) => cell === cells[column]);
  for (let distance = 0; row - distance >= 0 || row + distance < rows.length; distance++) {
    const found = [row - distance, row + distance].find(isAt);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the anchor of a row or cell by its names; undefined if they don't lead to it alone. */
function tableAnchor(
  page: AnchorPage,
  path: string,
  { table, index, row, column }: FoundRow & { column: number | undefined },
): ElementAnchor | undefined {
  const cells = table.rows[row] ?? [];
  const { name, names, text } = ANCHOR_LIMITS;
  const columnKey = column === undefined ? undefined : (table.header[column] ?? "").slice(0, name);
  const anchor: ElementAnchor = {
    kind: "element",
    ...{ path, element: column === undefined ? "row" : "cell", label: "" },
    headings: namesOf(headingsAt(page, table.start)),
    fingerprint: {
      text: (column === undefined ? cells.join("\t") : (cells[column] ?? "")).slice(0, text),
      table: {
        index,
        header: table.header.slice(0, names).map((each) => each.slice(0, name)),
        row_key: (cells[0] ?? "").slice(0, name),
        ...(columnKey === undefined ? {} : { column_key: columnKey }),
      },
      index: 0,
    },
  };
  const target = placeElement(anchor, page)?.target;
  const isIt = target?.kind === "cell" && target.table === index && target.row === row && target.column === column;
  return isIt ? anchor : undefined;
}

/** Returns the span of a row in the page's text. */
function lineOfRow({ text }: AnchorPage, { table, row }: FoundRow): Span {
  let from = table.start;
  for (const [at, cells] of table.rows.entries()) {
    const line = cells.join("\t").trim();
    const start = line === "" ? -1 : text.indexOf(line, from);
    if (at === row) return { start: Math.max(start, table.start), end: start < 0 ? table.end : start + line.length };
    if (start >= 0 && start < table.end) from = start + line.length;
    if (at > row) break;
  }
  return { start: table.start, end: table.end };
}

/** Returns the span of a cell in the page's text; for an empty one, that of its row. */
function spanIn(page: AnchorPage, found: FoundRow, column: number | undefined): Span {
  const line = lineOfRow(page, found);
  if (column === undefined) return line;
  const start = startOfCell(page.text, line, column);
  const value = found.table.rows[found.row]?.[column] ?? "";
  return start === undefined || value === "" ? line : { start, end: start + value.length };
}

function startOfCell(text: string, { start, end }: Span, column: number): number | undefined {
  let at = start;
  for (let index = 0; index < column; index++) {
    at = text.indexOf("\t", at) + 1;
    if (at === 0 || at > end) return undefined;
  }
  return at;
}

type Figure = BlockOf<"image"> | BlockOf<"chart">;

const isFigure = (block: Block): block is Figure => block.kind === "image" || block.kind === "chart";

function figureAnchor(block: Figure, alike: readonly Figure[], path: string): ElementAnchor {
  const names = block.kind === "chart" ? namesOfChart(block) : namesOfImage(block);
  const fingerprint = { ...names, index: alike.indexOf(block), count: alike.length };
  const element = "chart" in names ? "chart" : "image";
  return { kind: "element", path, element, headings: namesOf(block.headings), label: "", fingerprint };
}

/** Returns a key that figures share if browsers can tell them apart only by order. Browsers see the canvas of a chart, not its data. */
const likenessOf = (figure: Figure): string => JSON.stringify([...figure.headings, seenName(figure)]);

const isDrawn = (figure: Figure): boolean =>
  figure.kind === "chart" ? figure.library !== "plotly" : figure.mark === undefined;

function seenName(figure: Figure): string {
  if (figure.kind === "image" && figure.isIcon === true) return "icon";
  if (isDrawn(figure)) return "drawn";
  if (figure.kind === "chart") return JSON.stringify(["plotly", namesOfChart(figure)]);
  return JSON.stringify(["image", figure.alt, figure.address]);
}

function namesOfImage({ alt, mark }: BlockOf<"image">): Omit<Fingerprint, "index"> {
  if (mark === undefined) return { chart: { library: "svg", title: "", series: [] } };
  return { image: { ...mark, alt: alt.slice(0, ANCHOR_LIMITS.name) } };
}

function namesOfChart({ library, title, series }: BlockOf<"chart">): Omit<Fingerprint, "index"> {
  const { name, names } = ANCHOR_LIMITS;
  const given = series.slice(0, names).map((each) => each.name.slice(0, name));
  return { chart: { library, title: title.slice(0, name), series: given } };
}
