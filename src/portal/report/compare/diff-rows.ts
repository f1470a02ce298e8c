import type { Comparison, Stretch } from "../../../html/changes/compare-lines.ts";

/** Unchanged lines shown around a change. */
const CONTEXT = 3;
/** Shorter stretches aren't folded. */
const MIN_FOLDED = 4;

/** Consecutive lines, or the fold that hides them. */
interface Part extends Stretch {
  isFolded: boolean;
  /** The added part that replaces a removed part, and vice versa. */
  counterpart: Stretch | undefined;
  /** Index of its first row. */
  start: number;
}

export interface LineRow {
  kind: Stretch["kind"];
  oldNumber: number | undefined;
  newNumber: number | undefined;
  text: string;
  /** The line it replaced, or was replaced by. */
  counterpart: string | undefined;
}

export interface FoldRow {
  kind: "fold";
  /** Identifies the fold. */
  id: number;
  count: number;
}

export interface Rows {
  count: number;
  /** Index of each change's first row. */
  changes: readonly number[];
  at(index: number): LineRow | FoldRow;
}

/** Returns the visible rows of a comparison; `opened` holds expanded folds by their first new line. */
export function createRows(comparison: Comparison, opened: ReadonlySet<number>): Rows {
  const parts: Part[] = [];
  const changes: number[] = [];
  let count = 0;
  const add = (part: Omit<Part, "start">) => {
    parts.push({ ...part, start: count });
    count += part.isFolded ? 1 : part.count;
  };
  const { stretches } = comparison;
  for (const [index, stretch] of stretches.entries()) {
    const before = stretches[index - 1];
    const after = stretches[index + 1];
    if (stretch.kind === "same") {
      for (const part of folded(stretch, before !== undefined, after !== undefined, opened)) add(part);
    } else {
      if (before === undefined || before.kind === "same") changes.push(count);
      add({ ...stretch, isFolded: false, counterpart: [before, after].find((each) => isCounterpart(each, stretch)) });
    }
  }
  return { count, changes, at: (index) => rowAt(comparison, partAt(parts, index), index) };
}

const isCounterpart = (other: Stretch | undefined, { kind }: Stretch) =>
  other !== undefined && other.kind !== "same" && other.kind !== kind;

/** Splits an unchanged stretch into context and a fold. */
function folded(
  stretch: Stretch,
  isAfterChange: boolean,
  isBeforeChange: boolean,
  opened: ReadonlySet<number>,
): Omit<Part, "start">[] {
  const head = isAfterChange ? CONTEXT : 0;
  const tail = isBeforeChange ? CONTEXT : 0;
  const hidden = stretch.count - head - tail;
  const cut = (from: number, count: number, isFolded: boolean) => ({
    kind: "same" as const,
    oldStart: stretch.oldStart + from,
    newStart: stretch.newStart + from,
    count,
    isFolded,
    counterpart: undefined,
  });
  if (hidden < MIN_FOLDED || opened.has(stretch.newStart + head)) return [cut(0, stretch.count, false)];
  return [cut(0, head, false), cut(head, hidden, true), cut(head + hidden, tail, false)].filter(
    ({ count }) => count > 0,
  );
}

function partAt(parts: readonly Part[], row: number): Part | undefined {
  let low = 0;
  let high = parts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((parts[middle]?.start ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return parts[low];
}

function rowAt({ oldLines, newLines }: Comparison, part: Part | undefined, row: number): LineRow | FoldRow {
  if (part === undefined) return { kind: "fold", id: -1, count: 0 };
  if (part.isFolded) return { kind: "fold", id: part.newStart, count: part.count };
  const offset = row - part.start;
  const { kind, counterpart } = part;
  const oldIndex = part.oldStart + offset;
  const newIndex = part.newStart + offset;
  const hasCounterpart = counterpart !== undefined && offset < counterpart.count;
  return {
    kind,
    oldNumber: kind === "added" ? undefined : oldIndex + 1,
    newNumber: kind === "removed" ? undefined : newIndex + 1,
    text: (kind === "removed" ? oldLines[oldIndex] : newLines[newIndex]) ?? "",
    counterpart: hasCounterpart
      ? kind === "removed"
        ? newLines[counterpart.newStart + offset]
        : oldLines[counterpart.oldStart + offset]
      : undefined,
  };
}
