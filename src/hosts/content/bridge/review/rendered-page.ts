import type { Target } from "../../../../html/anchors/anchor.ts";
import { type AnchorPage, countUpTo, createPageBuilder, type PageBuilder } from "../../../../html/anchors/page.ts";
import { chartOf, imageOf } from "./figures.ts";

/** What an anchor stands on: text, or an element. */
export type Shape = Range | Element;

/** A page as the browser shows it now. */
export interface RenderedPage {
  page: AnchorPage;
  /** Returns what a target is in the document. */
  shapeOf(target: Target): Shape | undefined;
  /** Returns the position in the page's text of a place in the document. */
  positionOf(node: Node, offset: number): number;
  /** Returns which cell of the page's tables an element is; undefined for cells of a header. */
  placeOfCell(cell: HTMLTableCellElement): { table: number; row: number; column: number } | undefined;
  /** Elements of the page's figures, in the same order. */
  figures: readonly Element[];
}

/** Elements whose content isn't text of the page, as the server reads it. */
const DROPPED = new Set("IFRAME NOEMBED NOFRAMES NOSCRIPT SCRIPT STYLE TEMPLATE TITLE HEAD SELECT TEXTAREA".split(" "));
/** Nodes that are read at a time. */
const STEP = 300;

/** Returns which page of the report this is. */
export function pathOfPage(address: string): string {
  const [, path = ""] = /^\/~framed\/(?:~[^/]*\/)?[^/]+\/(.*)$/.exec(address) ?? [];
  try {
    return decodeURIComponent(path) || "index.html";
  } catch {
    return path;
  }
}

/** Reads what a document shows, in parts. */
export function* readPage(root: Document): Generator<void, RenderedPage> {
  const builder = createPageBuilder();
  const texts: { node: Text; start: number }[] = [];
  const tables: HTMLTableElement[] = [];
  const figures: Element[] = [];
  let count = 0;

  function* walk(node: Node): Generator<void> {
    if (++count % STEP === 0) yield;
    if (node instanceof Text) texts.push({ node, start: builder.text(node.data) });
    else if (node instanceof Element && !isDropped(node)) yield* walkElement(node);
  }

  function* walkElement(element: Element): Generator<void> {
    if (addFigure(element, builder)) {
      figures.push(element);
      if (!(element instanceof HTMLElement)) return;
    }
    const name = element.localName;
    if (element instanceof HTMLTableElement) tables.push(element);
    builder.tag(name, true);
    for (let child = element.firstChild; child !== null; child = child.nextSibling) yield* walk(child);
    builder.tag(name, false);
  }

  if (root.body !== null) yield* walk(root.body);
  // The page is whole: what its scripts draw is here.
  const page = builder.build(false);

  const textAt = (position: number): { node: Text; start: number } | undefined => {
    // White space alone has the position of the text before it.
    let index = countUpTo(texts, position) - 1;
    while (index >= 0 && !/\S/.test(texts[index]?.node.data ?? "")) index--;
    return texts[index];
  };

  function rangeOf(start: number, end: number): Range | undefined {
    const [first, last] = [textAt(start), textAt(end - 1)];
    if (first === undefined || last === undefined || !first.node.isConnected || !last.node.isConnected)
      return undefined;
    const range = root.createRange();
    range.setStart(first.node, offsetIn(first.node.data, start - first.start));
    range.setEnd(last.node, offsetIn(last.node.data, end - 1 - last.start) + 1);
    return range;
  }

  function shapeOf(target: Target): Shape | undefined {
    if (target.kind === "text") return rangeOf(target.start, target.end);
    if (target.kind === "figure") return figures[target.figure];
    const rows = rowsOf(target.table);
    const row = rows[target.row];
    return target.column === undefined ? row : row?.cells[target.column];
  }

  /** Returns the rows of a table's body, as the page's text has them. */
  function rowsOf(table: number): HTMLTableRowElement[] {
    const rows = [...(tables[table]?.rows ?? [])].filter(({ cells }) => cells.length > 0);
    return (page.tables[table]?.header.length ?? 0) > 0 ? rows.slice(1) : rows;
  }

  function placeOfCell(cell: HTMLTableCellElement) {
    const [own, line] = [cell.closest("table"), cell.parentElement];
    if (own === null || !(line instanceof HTMLTableRowElement)) return undefined;
    const table = tables.indexOf(own);
    const row = rowsOf(table).indexOf(line);
    return row < 0 ? undefined : { table, row, column: cell.cellIndex };
  }

  function positionOf(node: Node, offset: number): number {
    const at = node instanceof Text ? node : nextText(node, offset);
    const known = texts.find((each) => each.node === at);
    if (known === undefined) return at === undefined ? page.text.length : -1;
    return known.start + (node instanceof Text ? normalizedLength(node.data.slice(0, offset)) : 0);
  }

  /** Returns the first text at or after a place between nodes. */
  function nextText(node: Node, offset: number): Text | undefined {
    const place = node.childNodes[offset] ?? node;
    const isAfter = node.childNodes[offset] === undefined;
    return texts.find(({ node: text }) => {
      const order = place.compareDocumentPosition(text);
      const follows = (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 || place === text;
      const isInside = (order & Node.DOCUMENT_POSITION_CONTAINED_BY) !== 0;
      return isAfter ? follows && !isInside : follows || isInside;
    })?.node;
  }

  return { page, shapeOf, positionOf, placeOfCell, figures };
}

const isDropped = (element: Element): boolean =>
  DROPPED.has(element.tagName) || (element instanceof HTMLElement && element.hidden !== false);

function addFigure(element: Element, builder: PageBuilder): boolean {
  const figure = imageOf(element) ?? chartOf(element);
  if (figure !== undefined) builder.figure(figure);
  return figure !== undefined;
}

/** Returns where a character of a text without needless white space is in the text itself. */
function offsetIn(data: string, position: number): number {
  let at = data.length - data.trimStart().length;
  for (let count = 0; count < position && at < data.length; count++) {
    if (/\s/.test(data[at] ?? "")) while (/\s/.test(data[at + 1] ?? "")) at++;
    at++;
  }
  return Math.min(at, Math.max(0, data.length - 1));
}

const normalizedLength = (data: string): number => data.trimStart().replace(/\s+/g, " ").length;
