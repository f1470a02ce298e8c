import type { Output } from "./output.ts";
import { bold, plain } from "./text.ts";

const GAP = "  ";
/** Columns are not narrowed below this many characters. */
const NARROWEST = 8;
/** Columns that people copy from. */
const COPIED = new Set(["CODE", "ID"]);

/** Prints a table: aligned columns with a header on a terminal, and tab-separated values elsewhere. */
export function printTable(output: Output, header: readonly string[], rows: readonly (readonly string[])[]): void {
  if (!output.isOutTerminal) {
    printRows(output, rows);
    return;
  }
  const width = output.width();
  const clean = [header, ...rows.map((row) => row.map(plain))];
  const [first = "", ...others] = alignColumns(clean, narrow(widthsOf(clean), header, width));
  output.out(bold(output, cut(first, width)));
  for (const line of others) output.out(cut(line, width));
}

/** Prints rows without a header: aligned columns on a terminal, and tab-separated values elsewhere. */
export function printRows(output: Output, rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map(plain));
  for (const line of output.isOutTerminal ? alignColumns(clean) : clean.map((row) => row.join("\t"))) output.out(line);
}

/** Returns rows as lines with aligned columns. */
const alignColumns = (rows: readonly (readonly string[])[], widths = widthsOf(rows)): string[] =>
  rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );

const widthsOf = (rows: readonly (readonly string[])[]): number[] =>
  rows[0]?.map((_, column) => Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? "")))) ?? [];

function padded(cell: string, width: number): string {
  const text = cut(cell, width);
  return text + " ".repeat(width - Bun.stringWidth(text));
}

/** Narrows the widest columns until the lines fit, but not what identifies a row. */
function narrow(widths: readonly number[], header: readonly string[], available: number): number[] {
  const fitted = [...widths];
  const isFixed = (column: number) => column === 0 || COPIED.has(header[column] ?? "");
  const excess = () => fitted.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - available;
  while (excess() > 0) {
    const widest = Math.max(...fitted.filter((_, column) => !isFixed(column)));
    const column = fitted.findIndex((width, index) => width === widest && !isFixed(index));
    if (column < 0 || widest <= NARROWEST) break;
    fitted[column] = widest - 1;
  }
  return fitted;
}

function cut(line: string, width: number): string {
  if (Bun.stringWidth(line) <= width) return line;
  let kept = "";
  for (const character of line) {
    if (Bun.stringWidth(kept + character) >= width) break;
    kept += character;
  }
  return `${kept}…`;
}
