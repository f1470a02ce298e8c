import { useSyncExternalStore } from "react";
import { FRAME } from "../../../look/tokens.ts";
import type { ItemFilter } from "../../api/filter.ts";

type Sort = NonNullable<ItemFilter["sort"]>;

/** The sort orders with their labels and ARIA directions. */
export const SORTS: readonly { value: Sort; label: string; direction: "ascending" | "descending" }[] = [
  { value: "updated", label: "Updated, newest first", direction: "descending" },
  { value: "-updated", label: "Updated, oldest first", direction: "ascending" },
  { value: "created", label: "Created, newest first", direction: "descending" },
  { value: "-created", label: "Created, oldest first", direction: "ascending" },
  { value: "title", label: "Title, A to Z", direction: "ascending" },
  { value: "-title", label: "Title, Z to A", direction: "descending" },
  { value: "name", label: "Name, A to Z", direction: "ascending" },
  { value: "-name", label: "Name, Z to A", direction: "descending" },
];

export const sortOf = ({ sort }: ItemFilter): Sort => sort ?? "updated";

/** Returns the order after a click on a column header: reversed if already sorted by it. */
export const nextSort = (current: Sort, by: Sort): Sort =>
  current === by ? (SORTS.find(({ value }) => value === `-${by}`)?.value ?? by) : by;

export const isByCreation = (sort: Sort): boolean => sort === "created" || sort === "-created";

/** The columns that can be hidden, from left to right, with their widths in pixels. */
export const COLUMNS = {
  tags: { label: "Tags", width: 200 },
  folder: { label: "Folder", width: 150 },
  author: { label: "Author", width: 52 },
  audience: { label: "Visibility", width: 64 },
  versions: { label: "Versions", width: 64 },
  time: { label: "Updated", width: 104 },
} as const;

export type ColumnId = keyof typeof COLUMNS;

/** From the one that gives way first on narrow screens. */
const LEAST_FIRST: readonly ColumnId[] = ["versions", "tags", "author", "folder", "audience", "time"];
export const COLUMN_IDS: readonly ColumnId[] = ["tags", "folder", "author", "audience", "versions", "time"];

const GAP = 12;
/** The checkbox, the star and the menu, with their gaps. */
const CONTROLS = 36 + 28 + 36 + 3 * GAP;
const MIN_TITLE = 240;

/** Returns the chosen columns that fit beside the title. */
export function fittingColumns(chosen: readonly ColumnId[], width: number): readonly ColumnId[] {
  const left = new Set(chosen);
  const isTooWide = () => [...left].reduce((sum, id) => sum + COLUMNS[id].width + GAP, CONTROLS + MIN_TITLE) > width;
  for (const id of LEAST_FIRST) if (isTooWide()) left.delete(id);
  return COLUMN_IDS.filter((id) => left.has(id));
}

/** Returns the template of the list's grid. */
export const templateOf = (columns: readonly ColumnId[]): string =>
  ["36px", "minmax(0, 1fr)", ...columns.map((id) => `${COLUMNS[id].width}px`), "28px", "36px"].join(" ");

const SIDEBAR_FROM = 768;
const PADDING = 32;

/** Widths are rounded, so that dragging the window's edge rarely renders the list again. */
const STEP = 20;

/** Returns the width of the list, from the window's: measuring the list would cost a layout before the first paint. */
export function useListWidth(): number {
  return useSyncExternalStore(followWidth, () => {
    const sidebar = innerWidth >= SIDEBAR_FROM ? FRAME.sidebar : 0;
    return Math.floor((innerWidth - sidebar - PADDING) / STEP) * STEP;
  });
}

function followWidth(onChange: () => void): () => void {
  addEventListener("resize", onChange);
  return () => removeEventListener("resize", onChange);
}
