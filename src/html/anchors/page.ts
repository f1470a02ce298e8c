/** A heading of a page. */
export interface PageHeading {
  level: number;
  text: string;
  /** The position in the page's text. */
  start: number;
}

/** A table with rows of texts. `start` and `end` are positions in the page's text. */
export interface PageTable {
  start: number;
  end: number;
  header: readonly string[];
  rows: readonly (readonly string[])[];
}

/** An image or chart, with what it can be recognized by. */
export interface PageFigure {
  kind: "image" | "chart";
  /** The position in the page's text. */
  start: number;
  digest?: string | undefined;
  alt?: string | undefined;
  src?: string | undefined;
  library?: string | undefined;
  title?: string | undefined;
  series?: readonly string[] | undefined;
}

/** What anchors are resolved in: the text of a page, with one space for white space, a line for each block and tabs between cells. */
export interface AnchorPage {
  text: string;
  headings: readonly PageHeading[];
  tables: readonly PageTable[];
  figures: readonly PageFigure[];
  /** Whether the page may show what isn't here, because its scripts draw it. Then what isn't found is `unknown`. */
  isPartial: boolean;
}

/** Receives a page in order. A server reads it from the file, a browser from the document. */
export interface PageBuilder {
  tag(name: string, isOpening: boolean): void;
  /** Returns the position of the text's first character that isn't white space. */
  text(value: string): number;
  figure(figure: Omit<PageFigure, "start">): void;
  build(isPartial: boolean): AnchorPage;
}

/** Marks between texts that one of these tags separates. */
type Separator = "\t" | "\n";

const BLOCKS =
  "address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody tfoot thead tr ul";
const CELLS = new Set(["td", "th"]);
/** In one table, because most tags of most pages are looked up in vain. */
const SEPARATORS = new Map<string, Separator>([
  ...BLOCKS.split(" ").map((name) => [name, "\n"] as const),
  ...[...CELLS].map((name) => [name, "\t"] as const),
]);
const HEADINGS = new Map(["h1", "h2", "h3", "h4", "h5", "h6"].map((name, index) => [name, index + 1]));
/** White space other than a single space. */
const NEEDLESS_SPACE = /[^\S ]\s*| \s+/g;
const MAY_NEED_SPACE = /[^\S ]| {2}/;
/** Rows that are remembered for each table. */
const MAX_ROWS = 20_000;

interface OpenTable {
  order: number;
  start: number;
  rows: { cells: string[]; isHeader: boolean }[];
  row: { cells: string[]; isHeader: boolean } | undefined;
  cellStart: number | undefined;
}

/** Creates a builder. */
export function createPageBuilder(): PageBuilder {
  let pieces: string[] = [];
  let length = 0;
  /** The separator that comes before the next text. */
  let gap: "" | " " | Separator = "";
  const headings: PageHeading[] = [];
  const tables: PageTable[] = [];
  const figures: PageFigure[] = [];
  const open: OpenTable[] = [];
  let heading: { level: number; from: number } | undefined;

  const put = (piece: string): void => {
    pieces.push(piece);
    length += piece.length;
  };
  /** Returns the text since a position. Joins the pieces, so that this stays cheap for the last few. */
  function since(start: number): string {
    let text = "";
    let index = pieces.length - 1;
    for (let at = length; at > start && index >= 0; index--) {
      const piece = pieces[index] ?? "";
      text = piece + text;
      at -= piece.length;
    }
    return text.slice(Math.max(0, text.length - (length - start))).trim();
  }

  function separate(mark: Separator): void {
    if (length > 0 && gap !== "\n") gap = mark;
  }

  function endCell(): void {
    const table = open.at(-1);
    if (table?.cellStart === undefined) return;
    table.row?.cells.push(since(table.cellStart));
    table.cellStart = undefined;
  }

  function endRow(): void {
    const table = open.at(-1);
    endCell();
    if (table?.row !== undefined && table.row.cells.length > 0 && table.rows.length < MAX_ROWS)
      table.rows.push(table.row);
    if (table !== undefined) table.row = undefined;
  }

  function endTable(): void {
    endRow();
    const table = open.pop();
    if (table === undefined) return;
    const [first, ...rest] = table.rows;
    const header = first?.isHeader === true ? first.cells : [];
    const rows = (header.length > 0 ? rest : table.rows).map(({ cells }) => cells);
    tables[table.order] = { start: table.start, end: length, header, rows };
  }

  function openTable(): void {
    open.push({ order: tables.length, start: length, rows: [], row: undefined, cellStart: undefined });
    tables.push({ start: length, end: length, header: [], rows: [] });
  }

  function tagInTable(table: OpenTable, name: string, isOpening: boolean): void {
    if (name === "tr") {
      endRow();
      if (isOpening) table.row = { cells: [], isHeader: true };
    } else if (CELLS.has(name)) {
      endCell();
      if (!isOpening || table.row === undefined) return;
      table.cellStart = length;
      if (name === "td") table.row.isHeader = false;
    }
  }

  function tagOfTable(name: string, isOpening: boolean): void {
    const table = open.at(-1);
    if (name !== "table") table !== undefined && tagInTable(table, name, isOpening);
    else if (isOpening) openTable();
    else endTable();
  }

  function tag(name: string, isOpening: boolean): void {
    const separator = SEPARATORS.get(name);
    if (separator === undefined) return;
    const level = HEADINGS.get(name);
    if (level !== undefined) endHeading();
    tagOfTable(name, isOpening);
    separate(separator);
    if (isOpening && level !== undefined) heading = { level, from: length };
  }

  function endHeading(): void {
    const text = heading === undefined ? "" : since(heading.from);
    if (heading !== undefined && text !== "")
      headings.push({ level: heading.level, text, start: length - text.length });
    heading = undefined;
  }

  function text(value: string): number {
    // Replacing nothing takes longer than looking.
    const words = MAY_NEED_SPACE.test(value) ? value.replace(NEEDLESS_SPACE, " ") : value;
    const trimmed = words.trim();
    if (trimmed === "") {
      if (words !== "" && length > 0 && gap === "") gap = " ";
      return length;
    }
    if (gap === "" && words.startsWith(" ") && length > 0) gap = " ";
    put(gap);
    const start = length;
    put(trimmed);
    gap = words.endsWith(" ") ? " " : "";
    return start;
  }

  function build(isPartial: boolean): AnchorPage {
    endHeading();
    while (open.length > 0) endTable();
    const whole = pieces.join("");
    pieces = [whole];
    return { text: whole, headings, tables, figures, isPartial };
  }

  return { tag, text, build, figure: (figure) => figures.push({ ...figure, start: length }) };
}

/** Returns how many of a list in order start at a position or before. */
export function countUpTo<Item>(list: readonly Item[], startOf: (item: Item) => number, position: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && startOf(item) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the headings above a position, outermost first. */
export function headingsAt({ headings }: Pick<AnchorPage, "headings">, position: number): string[] {
  const path: string[] = [];
  let level = 7;
  for (let index = countUpTo(headings, ({ start }) => start, position) - 1; index >= 0 && level > 1; index--) {
    const found = headings[index];
    if (found === undefined || found.level >= level) continue;
    level = found.level;
    path.unshift(found.text);
  }
  return path;
}
