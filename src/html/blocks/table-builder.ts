import { BLOCK_LIMITS, oneLine, type Table } from "./block.ts";

interface Cell {
  text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

interface Row {
  readonly isHead: boolean;
  readonly cells: Cell[];
}

export interface TableBuilder {
  startHead(isHead: boolean): void;
  startRow(): void;
  startCell(isHeader: boolean, spans: { columns: number; rows: number }): void;
  endCell(): void;
  caption(text: string): void;
  /** Adds text to the open cell. Returns false without one. */
  text(value: string): boolean;
  end(): Table;
}

/** Returns a builder of one table, which takes what browsers would make a table of, end tags or not. */
export function createTableBuilder(): TableBuilder {
  const rows: Row[] = [];
  let isHead = false;
  let cell: Cell | undefined;
  let caption = "";
  let count = 0;

  function startRow(): void {
    cell = undefined;
    rows.push({ isHead, cells: [] });
  }

  return {
    startHead(value) {
      isHead = value;
      cell = undefined;
    },
    startRow,
    startCell(isHeader, { columns, rows: height }) {
      if (rows.length === 0) startRow();
      cell = { text: "", isHeader, columns, rows: height };
      if (count++ < BLOCK_LIMITS.cells) rows.at(-1)?.cells.push(cell);
    },
    endCell() {
      cell = undefined;
    },
    caption(text) {
      caption += text;
    },
    text(value) {
      if (cell === undefined) return false;
      if (cell.text.length < BLOCK_LIMITS.textCharacters) cell.text += value;
      return true;
    },
    end: () => layOut(rows, oneLine(caption)),
  };
}

/** A cell that reaches into the next rows. */
interface Reaching {
  text: string;
  /** The number of further rows. */
  left: number;
}

/** Returns a function that puts the cells of the next row into columns, as their spans say. */
function createGrid() {
  let open: (Reaching | undefined)[] = [];
  let size = 0;

  return (cells: readonly Cell[]): (string | undefined)[] => {
    const line: (string | undefined)[] = [];
    const next: typeof open = [];
    const put = (column: number, text: string, left: number) => {
      line[column] = text;
      size++;
      if (left > 0) next[column] = { text, left: left - 1 };
    };
    let column = 0;
    const passReaching = () => {
      for (let above = open[column]; above !== undefined; above = open[column]) put(column++, above.text, above.left);
    };
    for (const cell of cells) {
      passReaching();
      const text = oneLine(cell.text);
      const end = Math.min(column + cell.columns, BLOCK_LIMITS.columns);
      while (column < end && size < BLOCK_LIMITS.cells) put(column++, text, cell.rows - 1);
    }
    for (; column < open.length; column++) passReaching();
    open = next;
    return line;
  };
}

function layOut(rows: readonly Row[], caption: string): Table {
  const place = createGrid();
  const grid = rows.map(({ isHead, cells }) => ({
    isHead,
    isAllHeader: cells.length > 0 && cells.every(({ isHeader }) => isHeader),
    line: place(cells),
  }));
  const headCount = countHeadRows(grid);
  const width = grid.reduce((most, { line }) => Math.max(most, line.length), 0);
  const columns = Array.from({ length: width }, (_, column) => column);
  const head = grid.slice(0, headCount).map(({ line }) => line);
  const body = grid.slice(headCount).filter(({ line }) => line.length > 0);
  return {
    caption,
    header: headCount === 0 ? [] : columns.map((column) => joined(head.map((line) => line[column] ?? ""))),
    rows: body.map(({ line }) => columns.map((column) => line[column] ?? "")),
  };
}

/** Returns how many rows at the top are headers: those of `thead`, or else leading ones that have header cells only. */
function countHeadRows(grid: readonly { isHead: boolean; isAllHeader: boolean; line: readonly unknown[] }[]): number {
  let count = 0;
  while (grid[count]?.isHead) count++;
  if (count > 0) return count;
  while (grid[count]?.isAllHeader && count + 1 < grid.length) count++;
  return count;
}

/** Joins the headers of one column, leaving out repetitions and empty ones. */
const joined = (texts: readonly string[]): string =>
  texts.filter((text, index) => text !== "" && text !== texts[index - 1]).join(" / ");
