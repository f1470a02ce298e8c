import type { BlockKind } from "../blocks/block.ts";

/** Where something is in one version: which block of the page, and which part of it. */
export interface Place {
  /** The index of the block. */
  readonly block: number;
  /** The index of the row and of the column in a table. */
  readonly row?: number;
  readonly column?: number;
  /** The positions in the block's text, in UTF-16 units. */
  readonly start?: number;
  readonly end?: number;
}

export const CHANGE_KINDS = [
  "number",
  "text",
  "cell",
  "row_added",
  "row_removed",
  "row_moved",
  "rows_sorted",
  "column_added",
  "column_removed",
  "image",
  "chart",
  "block_added",
  "block_removed",
  "block_moved",
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** The kind of block that it is in. */
  readonly block: BlockKind;
  readonly headings: readonly string[];
  /** What a person would call the place, such as "Revenue, March"; may be empty. */
  readonly label: string;
  /** What was there, as text; null if it is new. */
  readonly before: string | null;
  readonly after: string | null;
  /** How a number changed; null if not both are numbers of the same unit. */
  readonly difference: number | null;
  /** As a percentage of the number before; null also if that was zero. */
  readonly percentage: number | null;
  readonly oldPlace: Place | null;
  readonly newPlace: Place | null;
}

/** Stands between the cells of a row as text. */
export const CELL_SEPARATOR = " | ";

/** Limits of a list of changes. */
export const CHANGE_LIMITS = { changes: 1_000, text: 500, label: 200 } as const;

type Given = Pick<Change, "kind" | "block" | "headings"> & Partial<Change>;

/** Returns a change with its texts cut to their limits. */
export function createChange({ before = null, after = null, label = "", ...given }: Given): Change {
  return {
    difference: null,
    percentage: null,
    oldPlace: null,
    newPlace: null,
    ...given,
    label: cut(label, CHANGE_LIMITS.label),
    before: before && cut(before, CHANGE_LIMITS.text),
    after: after && cut(after, CHANGE_LIMITS.text),
  };
}

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);
