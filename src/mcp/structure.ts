import { createPageText } from "../html/page-text.ts";
import type { TextSink } from "../html/text.ts";
import { breathe } from "./breathe.ts";

export interface Heading {
  level: number;
  text: string;
  /** Where it is in the text of the page. */
  offset: number;
}

export interface Table {
  offset: number;
  /** Rows at the start that have headings alone. */
  headings: string[][];
  /** Number of the other rows. */
  rowCount: number;
  /** The first of the other rows, if there are no headings. */
  first: string[] | undefined;
  /** The requested ones of the other rows. */
  rows: { index: number; cells: string[] }[];
}

/** Rows of a table below its headings, numbered from 1, both inclusive. */
export interface RowRange {
  table: number;
  from: number;
  to: number;
}

/** Bounds of what is kept, because pages can be anything. */
const MAX_HEADINGS = 300;
const MAX_TABLES = 300;
const MAX_CELLS = 200;
const MAX_CELL = 1000;
const MAX_HEADING_ROWS = 10;

const newTable = (offset: number): Table => ({ offset, headings: [], rowCount: 0, first: undefined, rows: [] });

interface OpenTable {
  table: Table;
  index: number;
  cells: string[] | undefined;
  isInCell: boolean;
  isInHead: boolean;
  /** Whether the row has a cell that is no heading. */
  hasData: boolean;
}

/** Returns a sink that notes the headings and tables of a page, with the rows in the range. */
export function createStructure(range?: RowRange): { sink: TextSink; headings: Heading[]; tables: Table[] } {
  const headings: Heading[] = [];
  const tables: Table[] = [];
  const open: OpenTable[] = [];
  let heading: Heading | undefined;
  let length = 0;
  let written: number | undefined;
  const page = createPageText((text) => {
    written ??= length + (/^\n*/.exec(text)?.[0].length ?? 0);
    length += text.length;
  });

  function endRow(current: OpenTable): void {
    const { table, cells } = current;
    if (cells === undefined) return;
    const isHeading = cells.length > 0 && (current.isInHead || !current.hasData) && table.rowCount === 0;
    if (isHeading && table.headings.length < MAX_HEADING_ROWS) table.headings.push(cells.map(tidy));
    else addRow(table, cells, range?.table === current.index ? range : undefined, tidy);
    [current.cells, current.isInCell, current.hasData] = [undefined, false, false];
  }

  function openTable(): void {
    const table = newTable(length);
    if (tables.length < MAX_TABLES) tables.push(table);
    const row = { cells: undefined, isInCell: false, isInHead: false, hasData: false };
    open.push({ table, index: tables.length, ...row });
  }

  function cellTag(current: OpenTable, name: "td" | "th", isOpening: boolean): void {
    current.isInCell = isOpening;
    if (!isOpening) return;
    if (name === "td") current.hasData = true;
    current.cells ??= [];
    if (current.cells.length < MAX_CELLS) current.cells.push("");
  }

  function rowTag(current: OpenTable, name: "tr" | "table", isOpening: boolean): void {
    endRow(current);
    if (name === "table") open.pop();
    else if (isOpening) current.cells = [];
  }

  function tableTag(name: string, isOpening: boolean): void {
    const isNewTable = name === "table" && isOpening;
    if (isNewTable) {
      openTable();
      return;
    }
    const current = open.at(-1);
    if (current === undefined) return;
    if (name === "td" || name === "th") cellTag(current, name, isOpening);
    else if (name === "tr" || name === "table") rowTag(current, name, isOpening);
    else if (/^t(head|body|foot)$/.test(name)) {
      // Before that, because the end of the last row of a head can be left out.
      endRow(current);
      current.isInHead = name === "thead" && isOpening;
    }
  }

  function headingTag(name: string, isOpening: boolean): void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level === undefined) return;
    heading = undefined;
    if (!isOpening || headings.length >= MAX_HEADINGS) return;
    heading = { level: Number(level), text: "", offset: -1 };
  }

  function headingText(value: string): void {
    if (heading === undefined || written === undefined) return;
    if (heading.offset < 0) {
      heading.offset = written;
      headings.push(heading);
    }
    heading.text = tidy(heading.text + value);
  }

  function cellText(value: string): void {
    const { cells = [], isInCell } = open.at(-1) ?? { isInCell: false };
    const last = cells.pop();
    if (last !== undefined) cells.push(isInCell ? (last + value).slice(0, MAX_CELL) : last);
  }

  const sink: TextSink = {
    text(value) {
      written = undefined;
      page.text(value);
      headingText(value);
      cellText(value);
    },
    tag(name, isOpening) {
      page.tag(name, isOpening);
      headingTag(name, isOpening);
      tableTag(name, isOpening);
    },
  };
  return { sink, headings, tables };
}

/** Counts a row, and keeps it if it is requested. */
function addRow(
  table: Table,
  cells: readonly string[],
  range: Omit<RowRange, "table"> | undefined,
  tidied: (cell: string) => string,
): void {
  const index = ++table.rowCount;
  if (index === 1 && table.headings.length === 0) table.first = cells.map(tidied);
  if (range !== undefined && index >= range.from && index <= range.to) {
    table.rows.push({ index, cells: cells.map(tidied) });
  }
}

const tidy = (text: string) => text.replace(/\s+/g, " ").trimStart().slice(0, MAX_CELL);

/** Returns the rows of comma- or tab-separated text in the range. The first one is the heading. */
export async function rowsOfSeparated(
  text: string,
  separator: "," | "\t",
  range: Omit<RowRange, "table">,
): Promise<Table> {
  const table = newTable(0);
  let cells: string[] = [];
  let read = 0;
  // A quoted cell, or one up to the next separator or line break; then what ends it.
  const pattern = separator === "," ? COMMA_SEPARATED : TAB_SEPARATED;
  for (const [whole, quoted, plain = "", end] of text.matchAll(pattern)) {
    if (whole === "" && cells.length === 0) break;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (++read % CELLS_AT_ONCE === 0) await breathe();
    if (end === separator) continue;
    if (table.headings.length === 0) table.headings.push(cells);
    else addRow(table, cells, range, String);
    cells = [];
  }
  return table;
}

/** Cells to read between two breaks for other requests. */
const CELLS_AT_ONCE = 10_000;
const COMMA_SEPARATED = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g;
const TAB_SEPARATED = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/g;
