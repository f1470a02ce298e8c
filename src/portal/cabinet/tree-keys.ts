import { isEntryRow, parentIndex, type Row } from "./rows.ts";

/** The effect of a key in a tree. */
export type Step =
  | { type: "go"; index: number }
  | { type: "open" | "close"; id: string }
  | { type: "follow" | "rename" | "delete" | "menu" };

interface Pressed {
  key: string;
  shiftKey: boolean;
}

/** Rows per page key. */
const PAGE = 10;

/** Returns undefined for keys without a meaning here. */
export function stepFor({ key, shiftKey }: Pressed, rows: readonly Row[], index: number): Step | undefined {
  const last = rows.length - 1;
  if (key === "ArrowDown") return { type: "go", index: Math.min(index + 1, last) };
  if (key === "ArrowUp") return { type: "go", index: Math.max(index - 1, 0) };
  if (key === "PageDown") return { type: "go", index: Math.min(index + PAGE, last) };
  if (key === "PageUp") return { type: "go", index: Math.max(index - PAGE, 0) };
  if (key === "Home") return { type: "go", index: 0 };
  if (key === "End") return { type: "go", index: last };
  if (key === "ArrowRight") return stepInto(rows, index);
  if (key === "ArrowLeft") return stepOut(rows, index);
  if (key === "Enter" || key === " ") return { type: "follow" };
  if (key === "F2") return { type: "rename" };
  if (key === "Delete") return { type: "delete" };
  if (key === "ContextMenu" || (key === "F10" && shiftKey)) return { type: "menu" };
  return undefined;
}

function stepInto(rows: readonly Row[], index: number): Step | undefined {
  const row = rows[index];
  if (!isEntryRow(row) || row.isOpen === undefined) return undefined;
  return row.isOpen ? { type: "go", index: index + 1 } : { type: "open", id: row.entry.id };
}

function stepOut(rows: readonly Row[], index: number): Step | undefined {
  const row = rows[index];
  if (isEntryRow(row) && row.isOpen === true) return { type: "close", id: row.entry.id };
  const parent = parentIndex(rows, index);
  return parent === undefined ? undefined : { type: "go", index: parent };
}
