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
  /** Returns the position of the text's first character that isn't white space; undefined for white space alone. */
  text(value: string): number | undefined;
  figure(figure: Omit<PageFigure, "start">): void;
  build(isPartial: boolean): AnchorPage;
}

/** Marks between texts that one of these tags separates. */
type Separator = "\t" | "\n";

/** What a tag means for the text around: its separator, its level as a heading (0 for others), and whether it is of a table. */
type Meaning = readonly [separator: Separator, level: number, isOfTable: boolean];

const BLOCKS =
  "address article aside blockquote body br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre section summary table tbody tfoot thead tr ul";
const HEADINGS = "h1 h2 h3 h4 h5 h6".split(" ");
const CELLS = ["td", "th"];
const OF_TABLES = ["table", "tr", ...CELLS];
/** In one map, because most tags of most pages are looked up in vain. */
const MEANINGS = new Map(
  [...BLOCKS.split(" "), ...CELLS].map((name): [string, Meaning] => [
    name,
    [CELLS.includes(name) ? "\t" : "\n", HEADINGS.indexOf(name) + 1, OF_TABLES.includes(name)],
  ]),
);
/** White space other than a single space. */
const NEEDLESS_SPACE = /[^\S ]\s*| \s+/g;
const MAY_NEED_SPACE = /[^\S ]| {2}/;
/** Rows that are remembered for each table. */
const MAX_ROWS = 20_000;

/** Positions in the page's text, which is whole only at the end. */
interface Span {
  start: number;
  end: number;
}

interface SpanRow {
  cells: Span[];
  isHeader: boolean;
}

interface SpanTable extends Span {
  rows: SpanRow[];
  row?: SpanRow | undefined;
  cellStart?: number | undefined;
}

/** Creates a builder. */
export function createPageBuilder(): PageBuilder {
  const pieces: string[] = [];
  let length = 0;
  /** The separator that comes before the next text. */
  let gap: "" | " " | Separator = "";
  const headings: (Span & { level: number })[] = [];
  const tables: SpanTable[] = [];
  const figures: PageFigure[] = [];
  /** The tables that have not ended, innermost last. */
  const open: SpanTable[] = [];
  let heading: { level: number; start: number } | undefined;

  function endCell(table: SpanTable): void {
    const { row, cellStart } = table;
    if (cellStart !== undefined) row?.cells.push({ start: cellStart, end: length });
    table.cellStart = undefined;
  }

  function endRow(table: SpanTable): void {
    endCell(table);
    const { rows, row } = table;
    if (row !== undefined && row.cells.length > 0 && rows.length < MAX_ROWS) rows.push(row);
    table.row = undefined;
  }

  function endTable(): void {
    const table = open.pop();
    if (table === undefined) return;
    endRow(table);
    table.end = length;
  }

  function openTable(): void {
    const table = { start: length, end: 0, rows: [] };
    open.push(table);
    tables.push(table);
  }

  function tagInTable(table: SpanTable, name: string, isOpening: boolean): void {
    if (name === "tr") {
      endRow(table);
      if (isOpening) table.row = { cells: [], isHeader: true };
    } else {
      endCell(table);
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
    const [separator, level, isOfTable] = MEANINGS.get(name) ?? [];
    if (separator === undefined || level === undefined) return;
    if (level > 0) endHeading();
    if (isOfTable) tagOfTable(name, isOpening);
    if (length > 0 && gap !== "\n") gap = separator;
    if (isOpening && level > 0) heading = { level, start: length };
  }

  function endHeading(): void {
    if (heading !== undefined) headings.push({ ...heading, end: length });
    heading = undefined;
  }

  function text(value: string): number | undefined {
    const trimmed = value.trim();
    if (length > 0 && gap === "" && value.trimStart() !== value) gap = " ";
    if (trimmed === "") return undefined;
    const start = length + gap.length;
    // Replacing nothing takes longer than looking.
    const words = MAY_NEED_SPACE.test(trimmed) ? trimmed.replace(NEEDLESS_SPACE, " ") : trimmed;
    pieces.push(gap, words);
    length = start + words.length;
    gap = value.trimEnd() === value ? "" : " ";
    return start;
  }

  function build(isPartial: boolean): AnchorPage {
    endHeading();
    while (open.length > 0) endTable();
    const page = pieces.join("");
    const textOf = ({ start, end }: Span): string => page.slice(start, end).trim();
    return {
      text: page,
      headings: headings
        .map((span) => ({ level: span.level, text: textOf(span), start: span.end - textOf(span).length }))
        .filter((found) => found.text !== ""),
      tables: tables.map((table) => readTable(table, textOf)),
      figures,
      isPartial,
    };
  }

  return { tag, text, build, figure: (figure) => figures.push({ ...figure, start: length }) };
}

/** Returns a table whose cells are read when they are first asked for, as few are: a page can have 100,000. */
function readTable({ start, end, rows }: SpanTable, textOf: (span: Span) => string): PageTable {
  let known: Pick<PageTable, "header" | "rows"> | undefined;
  function read() {
    if (known !== undefined) return known;
    const texts = rows.map(({ cells }) => cells.map(textOf));
    const [header = []] = rows[0]?.isHeader === true ? texts.splice(0, 1) : [];
    known = { header, rows: texts };
    return known;
  }
  return {
    start,
    end,
    get header() {
      return read().header;
    },
    get rows() {
      return read().rows;
    },
  };
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
