import { diffArrays } from "diff";
import { findAnchors } from "./line-anchors.ts";

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

/** Milliseconds of work between two pauses. Most comparisons take less. */
const SLICE = 24;
/** Milliseconds, and changed lines between two anchors, after which two texts count as too different. */
const TIME_LIMIT = 5_000;
const MAX_EDITS = 1_500;
/** Stretches with fewer lines never need a pause before them. */
const SHORT_STRETCH = 200;

/** Compares two texts line by line. Returns undefined if that would take too long. Throws the reason of an aborted signal. */
export async function compareTexts(
  oldText: string,
  newText: string,
  signal: AbortSignal,
): Promise<Comparison | undefined> {
  // Each of these steps takes tens of milliseconds for texts of several megabytes.
  const oldLines = linesOf(oldText);
  await breathe();
  const newLines = linesOf(newText);
  await breathe();
  const head = countAlike(oldLines, newLines);
  const tail = countAlikeAtEnd(oldLines, newLines, head);
  const pause = createPause(signal);
  const intern = createInterning(pause);
  const oldMiddle = await intern(oldLines.slice(head, oldLines.length - tail));
  const newMiddle = await intern(newLines.slice(head, newLines.length - tail));
  await breathe();
  const changes = await compareNumbers(oldMiddle, newMiddle, pause);
  signal.throwIfAborted();
  if (changes === undefined) return undefined;
  const all = [{ kind: "same" as const, count: head }, ...changes, { kind: "same" as const, count: tail }];
  return { oldLines, newLines, stretches: placed(all) };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  // A final line break does not start another line.
  if (lines.at(-1) === "") lines.pop();
  return lines;
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

type Pause = () => Promise<void>;

/** Returns a function to call regularly during long work. It lets other work run after each slice. */
function createPause(signal: AbortSignal): Pause {
  let sliceEnd = performance.now() + SLICE;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await breathe();
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE;
  };
}

/** Returns a function that replaces lines by numbers, which are faster to compare. */
function createInterning(pause: Pause) {
  const numbers = new Map<string, number>();
  return async (lines: readonly string[]): Promise<number[]> => {
    const interned: number[] = [];
    for (const line of lines) {
      let number = numbers.get(line);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(line, number);
      }
      interned.push(number);
      if (interned.length % 256 === 0) await pause();
    }
    return interned;
  };
}

/** Resolves after other pending work has run. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve));

type Change = Pick<Stretch, "kind" | "count">;

async function compareNumbers(
  before: readonly number[],
  after: readonly number[],
  pause: Pause,
): Promise<Change[] | undefined> {
  // Lines that only one text has are changes for sure. Leaving them out makes the comparison faster.
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const oldIndexes = indexesWhere(before, (number) => inAfter.has(number));
  const newIndexes = indexesWhere(after, (number) => inBefore.has(number));
  await breathe();
  const found = await compareShared(
    oldIndexes.map((index) => before[index] ?? -1),
    newIndexes.map((index) => after[index] ?? -1),
    pause,
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

/** Compares the stretches between anchors one by one. */
async function compareShared(before: number[], after: number[], pause: Pause): Promise<Change[] | undefined> {
  const deadline = performance.now() + TIME_LIMIT;
  const changes: Change[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of await findAnchors(before, after, pause)) {
    const found = await compareStretch(before.slice(oldAt, old), after.slice(newAt, fresh), deadline);
    if (found === undefined) return undefined;
    for (const change of found) changes.push(change);
    changes.push({ kind: "same", count: 1 });
    [oldAt, newAt] = [old + 1, fresh + 1];
    await pause();
  }
  const found = await compareStretch(before.slice(oldAt), after.slice(newAt), deadline);
  return found && [...changes, ...found];
}

async function compareStretch(before: number[], after: number[], deadline: number): Promise<Change[] | undefined> {
  if (before.length === 0 || after.length === 0) {
    return [
      { kind: "removed", count: before.length },
      { kind: "added", count: after.length },
    ];
  }
  // A long stretch may need a whole slice.
  if (before.length + after.length > SHORT_STRETCH) await breathe();
  const remaining = deadline - performance.now();
  if (remaining <= 0) return undefined;
  const found =
    diffArrays(before, after, { timeout: SLICE }) ??
    // With a callback, the library pauses after each step.
    (await new Promise<ReturnType<typeof diffArrays<number>> | undefined>((resolve) =>
      diffArrays(before, after, { timeout: remaining, maxEditLength: MAX_EDITS, callback: resolve }),
    ));
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
