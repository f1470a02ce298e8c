import type { TextSink } from "../html/text.ts";
import { createPageText } from "./page-text.ts";

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

  function tableTag(name: string, isOpening: boolean): void {
    if (name === "table" && isOpening) return openTable();
    const current = open.at(-1);
    if (current === undefined) return;
    if (name === "table" || name === "tr") {
      endRow(current);
      if (name === "table") open.pop();
      else if (isOpening) current.cells = [];
    } else if (name === "td" || name === "th") {
      current.isInCell = isOpening;
      if (!isOpening) return;
      current.cells ??= [];
      if (current.cells.length < MAX_CELLS) current.cells.push("");
    }
  }

  function headingTag(name: string, isOpening: boolean): void {
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level === undefined) return;
    heading = undefined;
    if (!isOpening || headings.length >= MAX_HEADINGS) return;
    heading = { level: Number(level), text: "", offset: -1 };
  }

  const sink: TextSink = {
    text(value) {
      written = undefined;
      page.text(value);
      if (heading !== undefined && written !== undefined) {
        if (heading.offset < 0) {
          heading.offset = written;
          headings.push(heading);
        }
        heading.text = tidy(heading.text + value);
      }
      const current = open.at(-1);
      const last = current?.cells?.length ?? 0;
      if (current?.cells !== undefined && current.isInCell && last > 0) {
        current.cells[last - 1] = ((current.cells[last - 1] ?? "") + value).slice(0, MAX_CELL);
      }
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
export function rowsOfSeparated(text: string, separator: "," | "\t", { from, to }: Omit<RowRange, "table">): Table {
  const table: Table = { offset: 0, rowCount: 0, rows: [] };
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endLine = () => {
    cells.push(cell);
    table.rowCount++;
    if (table.rowCount === 1 || (table.rowCount >= from && table.rowCount <= to)) {
      table.rows.push({ index: table.rowCount, cells });
    }
    [cells, cell] = [[], ""];
  };
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? "";
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[index + 1] === '"') cell += text[++index];
      else isQuoted = false;
    } else if (character === '"' && cell === "") isQuoted = true;
    else if (character === separator) {
      cells.push(cell);
      cell = "";
    } else if (character === "\n") endLine();
    else if (character !== "\r") cell += character;
  }
  if (cell !== "" || cells.length > 0) endLine();
  return table;
}
