import { diffArrays } from "diff";
import { uniqueMatches } from "./align.ts";

/** Consecutive lines that both texts share, or that only one of them has. */
export interface Stretch {
  kind: "same" | "added" | "removed";
  /** Index of the first line in each text. */
  oldStart: number;
  newStart: number;
  count: number;
}

export interface Comparison {
  oldLines: readonly string[];
  newLines: readonly string[];
  stretches: readonly Stretch[];
}

/** Milliseconds, and changed lines between two anchors, after which two texts count as too different. */
const TIME_LIMIT = 5_000;
const MAX_EDITS = 1_500;

/** Compares two texts line by line. Returns undefined if that would take too long. */
export function compareTexts(oldText: string, newText: string): Comparison | undefined {
  const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)];
  const stretches = compareLines(oldLines, newLines);
  return stretches && { oldLines, newLines, stretches };
}

export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  // A final line break does not start another line.
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** Compares two texts that are split into lines. Returns undefined if that would take too long. */
export function compareLines(oldLines: readonly string[], newLines: readonly string[]): Stretch[] | undefined {
  const head = countAlike(oldLines, newLines);
  const tail = countAlikeAtEnd(oldLines, newLines, head);
  const intern = createInterning();
  const oldMiddle = intern(oldLines.slice(head, oldLines.length - tail));
  const newMiddle = intern(newLines.slice(head, newLines.length - tail));
  const changes = compareNumbers(oldMiddle, newMiddle);
  return changes && placed([{ kind: "same", count: head }, ...changes, { kind: "same", count: tail }]);
}

function countAlike(oldLines: readonly string[], newLines: readonly string[]): number {
  const most = Math.min(oldLines.length, newLines.length);
  let count = 0;
  while (count < most && oldLines[count] === newLines[count]) count++;
  return count;
}

function countAlikeAtEnd(oldLines: readonly string[], newLines: readonly string[], head: number): number {
  const most = Math.min(oldLines.length, newLines.length) - head;
  let count = 0;
  while (count < most && oldLines[oldLines.length - 1 - count] === newLines[newLines.length - 1 - count]) count++;
  return count;
}

/** Returns a function that replaces lines by numbers, which are faster to compare. */
function createInterning() {
  const numbers = new Map<string, number>();
  return (lines: readonly string[]): number[] =>
    lines.map((line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
}

type Change = Pick<Stretch, "kind" | "count">;

function compareNumbers(before: readonly number[], after: readonly number[]): Change[] | undefined {
  // Lines that only one text has are changes for sure. Leaving them out makes the comparison faster.
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const oldIndexes = indexesWhere(before, (number) => inAfter.has(number));
  const newIndexes = indexesWhere(after, (number) => inBefore.has(number));
  const found = compareShared(
    oldIndexes.map((index) => before[index] ?? -1),
    newIndexes.map((index) => after[index] ?? -1),
  );
  if (found === undefined) return undefined;
  const changes: Change[] = [];
  let [oldAt, newAt, oldNext, newNext] = [0, 0, 0, 0];
  const skipTo = (oldIndex: number, newIndex: number) => {
    changes.push({ kind: "removed", count: oldIndex - oldAt }, { kind: "added", count: newIndex - newAt });
    [oldAt, newAt] = [oldIndex, newIndex];
  };
  for (const { kind, count } of found) {
    for (let index = 0; index < count && kind === "same"; index++) {
      skipTo(oldIndexes[oldNext + index] ?? 0, newIndexes[newNext + index] ?? 0);
      changes.push({ kind, count: 1 });
      oldAt++;
      newAt++;
    }
    if (kind !== "added") oldNext += count;
    if (kind !== "removed") newNext += count;
  }
  skipTo(before.length, after.length);
  return changes;
}

function indexesWhere(numbers: readonly number[], isIncluded: (number: number) => boolean): number[] {
  const indexes: number[] = [];
  for (const [index, number] of numbers.entries()) if (isIncluded(number)) indexes.push(index);
  return indexes;
}

/** Compares the stretches between lines that occur once in each text, one by one. */
function compareShared(before: readonly number[], after: readonly number[]): Change[] | undefined {
  const deadline = performance.now() + TIME_LIMIT;
  const changes: Change[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of uniqueMatches(before, after)) {
    const found = compareStretch(before.slice(oldAt, old), after.slice(newAt, fresh), deadline);
    if (found === undefined) return undefined;
    for (const change of found) changes.push(change);
    changes.push({ kind: "same", count: 1 });
    [oldAt, newAt] = [old + 1, fresh + 1];
  }
  const found = compareStretch(before.slice(oldAt), after.slice(newAt), deadline);
  return found && [...changes, ...found];
}

function compareStretch(before: number[], after: number[], deadline: number): Change[] | undefined {
  if (before.length === 0 || after.length === 0) {
    return [
      { kind: "removed", count: before.length },
      { kind: "added", count: after.length },
    ];
  }
  const timeout = deadline - performance.now();
  if (timeout <= 0) return undefined;
  const found = diffArrays(before, after, { timeout, maxEditLength: MAX_EDITS });
  return found?.map(({ added, removed, count }) => ({ kind: added ? "added" : removed ? "removed" : "same", count }));
}

function placed(changes: readonly Change[]): Stretch[] {
  let oldStart = 0;
  let newStart = 0;
  const stretches: Stretch[] = [];
  for (const { kind, count } of changes) {
    const last = stretches.at(-1);
    if (last?.kind === kind) last.count += count;
    else if (count > 0) stretches.push({ kind, count, oldStart, newStart });
    if (kind !== "added") oldStart += count;
    if (kind !== "removed") newStart += count;
  }
  return stretches;
}
