import type { Output } from "./output.ts";
import { bold, plain } from "./text.ts";

const GAP = "  ";

/** Prints a table: aligned columns with a header on a terminal, and tab-separated values elsewhere. */
export function printTable(output: Output, header: readonly string[], rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map(plain));
  if (!output.isOutTerminal) {
    for (const row of clean) output.out(row.join("\t"));
    return;
  }
  const [first = "", ...others] = alignColumns([header, ...clean]);
  output.out(bold(output, cut(first, output.width())));
  for (const line of others) output.out(cut(line, output.width()));
}

/** Returns rows as lines with aligned columns. */
export function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? "")))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, (widths[column] ?? 0) - Bun.stringWidth(cell))))
      .join(GAP)
      .trimEnd(),
  );
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
