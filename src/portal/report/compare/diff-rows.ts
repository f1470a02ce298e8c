import type { Comparison, Stretch } from "../../../client/compare-texts.ts";

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 3;
/** Fewer lines than that are not worth folding. */
const LEAST_FOLDED = 4;

/** Some lines one after the other, or the fold that stands for them. */
interface Part extends Stretch {
  isFolded: boolean;
  /** Of a removed part: which added part comes in its stead, and the other way round. */
  counterpart: Stretch | undefined;
  /** Index of its first row. */
  start: number;
}

export interface LineRow {
  kind: Stretch["kind"];
  oldNumber: number | undefined;
  newNumber: number | undefined;
  text: string;
  /** The line of the other text that it has come from, or become. */
  counterpart: string | undefined;
}

export interface FoldRow {
  kind: "fold";
  /** Names the fold, to have it opened. */
  id: number;
  count: number;
}

export interface Rows {
  count: number;
  /** Indexes of the first row of each change. */
  changes: readonly number[];
  at(index: number): LineRow | FoldRow;
}

/** What is seen of a comparison when some of its folds, named by their first new line, have been opened. */
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

/** An unchanged stretch: what is near a change, and a fold for the rest. */
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
  if (hidden < LEAST_FOLDED || opened.has(stretch.newStart + head)) return [cut(0, stretch.count, false)];
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
