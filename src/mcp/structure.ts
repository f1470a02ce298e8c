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
  rowCount: number;
  /** The first row, and the requested ones. */
  rows: { index: number; cells: string[] }[];
}

/** Rows of a table, numbered from 1, both inclusive. */
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

interface OpenTable {
  table: Table;
  index: number;
  cells: string[] | undefined;
  isInCell: boolean;
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
    table.rowCount++;
    const isRequested = range?.table === current.index && table.rowCount >= range.from && table.rowCount <= range.to;
    if (table.rowCount === 1 || isRequested) table.rows.push({ index: table.rowCount, cells: cells.map(tidy) });
    [current.cells, current.isInCell] = [undefined, false];
  }

  function openTable(): void {
    const table = { offset: length, rowCount: 0, rows: [] };
    if (tables.length < MAX_TABLES) tables.push(table);
    open.push({ table, index: tables.length, cells: undefined, isInCell: false });
  }

  function cellTag(current: OpenTable, isOpening: boolean): void {
    current.isInCell = isOpening;
    if (!isOpening) return;
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
    if (name === "td" || name === "th") cellTag(current, isOpening);
    else if (name === "tr" || name === "table") rowTag(current, name, isOpening);
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

const tidy = (text: string) => text.replace(/\s+/g, " ").trimStart().slice(0, MAX_CELL);

/** Returns the rows of comma- or tab-separated text in the range, after the first one. */
export async function rowsOfSeparated(
  text: string,
  separator: "," | "\t",
  { from, to }: Omit<RowRange, "table">,
): Promise<Table> {
  const table: Table = { offset: 0, rowCount: 0, rows: [] };
  let cells: string[] = [];
  let read = 0;
  // A quoted cell, or one up to the next separator or line break; then what ends it.
  const pattern = separator === "," ? COMMA_SEPARATED : TAB_SEPARATED;
  for (const [whole, quoted, plain = "", end] of text.matchAll(pattern)) {
    if (whole === "" && cells.length === 0) break;
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (++read % CELLS_AT_ONCE === 0) await breathe();
    if (end === separator) continue;
    table.rowCount++;
    const isRequested = table.rowCount >= from && table.rowCount <= to;
    if (table.rowCount === 1 || isRequested) table.rows.push({ index: table.rowCount, cells });
    cells = [];
  }
  return table;
}

/** Cells to read between two breaks for other requests. */
const CELLS_AT_ONCE = 10_000;
const COMMA_SEPARATED = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g;
const TAB_SEPARATED = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/g;
