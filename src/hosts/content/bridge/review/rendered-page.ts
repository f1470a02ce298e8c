import type { Target } from "../../../../html/anchors/anchor.ts";
import { type AnchorPage, countUpTo, createPageBuilder } from "../../../../html/anchors/page.ts";
import { figureOf, mayBeFigure } from "./figures.ts";

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
/** What is known of all elements of one name: asking the browser for each takes longer. */
type Kind = readonly [name: string, isDropped: boolean, mayBeFigure: boolean];

/** Types of nodes, as the DOM Standard numbers them. */
const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;
/** Where a node is, as it numbers that. */
const FOLLOWING = 4;
const CONTAINED_BY = 16;
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

/** Reads what a document shows, in parts. The document may change between them; `isUnchanged` says whether it hasn't yet. */
export function* readPage(root: Document, isUnchanged: () => boolean): Generator<void, RenderedPage> {
  const builder = createPageBuilder();
  // Its scripts may have taken the body away.
  const { body }: { body: Element | null } = root;
  /** All texts, because asking each of tens of thousands of nodes takes longer. */
  const whole = body?.textContent ?? "";
  /** How much of it was read. */
  let position = 0;
  // Two lists, because an object for each of many thousands of texts takes longer.
  const texts: Text[] = [];
  const starts: number[] = [];
  const tables: HTMLTableElement[] = [];
  const figures: Element[] = [];
  const kinds = new Map<string, Kind>();
  /** Elements that are being read, outermost first. */
  const open: [element: Element, name: string][] = [];

  function dataOf(node: Text): string {
    position += node.length;
    return isUnchanged() ? whole.slice(position - node.length, position) : node.data;
  }

  function addText(node: Text): void {
    const start = builder.text(dataOf(node));
    if (start === undefined) return;
    texts.push(node);
    starts.push(start);
  }

  /** Begins to read a node, and returns whether its children follow. */
  function begin(node: Node): boolean {
    const { nodeType } = node;
    if (isText(node, nodeType)) addText(node);
    else if (isElement(node, nodeType)) return beginElement(node);
    return false;
  }

  function kindOf(element: Element): Kind {
    const { tagName } = element;
    let kind = kinds.get(tagName);
    if (kind === undefined) {
      kind = [element.localName, DROPPED.has(tagName), mayBeFigure(tagName)];
      kinds.set(tagName, kind);
    }
    return kind;
  }

  function beginElement(element: Element): boolean {
    const [name, isDropped, isCandidate] = kindOf(element);
    if (isDropped || ((isCandidate || element.hasAttributes()) && isWhole(element))) {
      position += element.textContent.length;
      return false;
    }
    if (name === "table" && element instanceof HTMLTableElement) tables.push(element);
    builder.tag(name, true);
    open.push([element, name]);
    return true;
  }

  /** Adds an element if it is a figure. Returns whether nothing in it is to be read. */
  function isWhole(element: Element): boolean {
    if (!(element instanceof HTMLElement)) return addFigure(element);
    if (element.hidden !== false) return true;
    addFigure(element);
    return false;
  }

  function addFigure(element: Element): boolean {
    const figure = figureOf(element);
    if (figure === undefined) return false;
    builder.figure(figure);
    figures.push(element);
    return true;
  }

  /** Returns the node that follows one that was begun, and ends the elements between. */
  function nextOf(node: Node, hasChildren: boolean): Node | null {
    let next = hasChildren ? node.firstChild : siblingOf(node);
    while (next === null) {
      const ended = open.pop();
      if (ended === undefined) return null;
      builder.tag(ended[1], false);
      next = siblingOf(ended[0]);
    }
    return next;
  }

  /** Returns the next node in the same element; null beside the outermost. */
  const siblingOf = (node: Node): Node | null => (open.length === 0 ? null : node.nextSibling);

  /** Reads some nodes, from one on, and returns the next. A generator's own loop would be slower. */
  function readSome(first: Node): Node | null {
    let node: Node | null = first;
    for (let count = 0; node !== null && count < STEP; count++) node = nextOf(node, begin(node));
    return node;
  }

  for (let next: Node | null = body; next !== null; next = readSome(next)) yield;
  yield;
  // The page is whole: what its scripts draw is here.
  const page = builder.build(false);
  yield;

  const textAt = (position: number): number => countUpTo(starts, (start) => start, position) - 1;

  function rangeOf(start: number, end: number): Range | undefined {
    const [from, to] = [textAt(start), textAt(end - 1)];
    const [first, last] = [texts[from], texts[to]];
    if (first?.isConnected !== true || last?.isConnected !== true) return undefined;
    const range = root.createRange();
    range.setStart(first, offsetIn(first.data, start - (starts[from] ?? 0)));
    range.setEnd(last, offsetIn(last.data, end - 1 - (starts[to] ?? 0)) + 1);
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
    return page.tables[table]?.header[0] === undefined ? rows : rows.slice(1);
  }

  function placeOfCell(cell: HTMLTableCellElement) {
    const [own, line] = [cell.closest("table"), cell.parentElement];
    if (own === null || !(line instanceof HTMLTableRowElement)) return undefined;
    const table = tables.indexOf(own);
    const row = rowsOf(table).indexOf(line);
    return row < 0 ? undefined : { table, row, column: cell.cellIndex };
  }

  function positionOf(node: Node, offset: number): number {
    if (node instanceof Text && /\S/.test(node.data)) {
      const start = starts[texts.indexOf(node)];
      return start === undefined ? -1 : start + normalizedLength(node.data.slice(0, offset));
    }
    return starts[textAfter(node, offset)] ?? page.text.length;
  }

  /** Returns which text is the first at or after a place between nodes, or inside white space. */
  function textAfter(node: Node, offset: number): number {
    const child = node.childNodes[offset];
    const place = child ?? node;
    return texts.findIndex((text) => {
      const order = place.compareDocumentPosition(text);
      const follows = place === text || (order & FOLLOWING) !== 0;
      // What is inside follows too.
      return follows && !(child === undefined && (order & CONTAINED_BY) !== 0);
    });
  }

  return { page, shapeOf, positionOf, placeOfCell, figures };
}

// Comparing numbers takes a third of the time of `instanceof`, which counts with tens of thousands of nodes.
const isText = (_node: Node, type: number): _node is Text => type === TEXT || type === CDATA;
const isElement = (_node: Node, type: number): _node is Element => type === ELEMENT;

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
