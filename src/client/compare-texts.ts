import { diffArrays } from "diff";
import { findAnchors } from "./line-anchors.ts";

/** Lines of both texts that belong together: alike, or only in one of them. */
export interface Stretch {
  kind: "same" | "added" | "removed";
  /** Indexes of its first line in the old and in the new text. */
  oldStart: number;
  newStart: number;
  count: number;
}

export interface Comparison {
  oldLines: readonly string[];
  newLines: readonly string[];
  stretches: readonly Stretch[];
}

/** Milliseconds for which whatever runs it may be held; most comparisons take less. */
const SLICE = 24;
/** Milliseconds, and lines that have moved, after which two texts count as too different. */
const PATIENCE = 5_000;
const MOST_MOVED = 1_500;
/** Lines that take no time worth mentioning to compare, however different they are. */
const QUICK = 200;

/** What has changed from one text to another, or undefined when that would take too long to find out. */
export async function compareTexts(
  oldText: string,
  newText: string,
  signal: AbortSignal,
): Promise<Comparison | undefined> {
  // Each step takes tens of milliseconds where a text has megabytes.
  const oldLines = linesOf(oldText);
  await breathe();
  const newLines = linesOf(newText);
  await breathe();
  const head = countAlike(oldLines, newLines);
  const tail = countAlikeAtEnd(oldLines, newLines, head);
  const rest = createPace(signal);
  const intern = createInterning(rest);
  const oldMiddle = await intern(oldLines.slice(head, oldLines.length - tail));
  const newMiddle = await intern(newLines.slice(head, newLines.length - tail));
  await breathe();
  const changes = await compareNumbers(oldMiddle, newMiddle, rest);
  signal.throwIfAborted();
  if (changes === undefined) return undefined;
  const all = [{ kind: "same" as const, count: head }, ...changes, { kind: "same" as const, count: tail }];
  return { oldLines, newLines, stretches: placed(all) };
}

function linesOf(text: string): string[] {
  const lines = text.split("\n");
  // What ends with a line break has no empty line after it.
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

type Rest = () => Promise<void>;

/** What has to be called again and again by whatever takes long: now and then it lets others have a turn. */
function createPace(signal: AbortSignal): Rest {
  let sliceEnd = performance.now() + SLICE;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await breathe();
    signal.throwIfAborted();
    sliceEnd = performance.now() + SLICE;
  };
}

/** Gives equal lines equal numbers, which are compared faster. */
function createInterning(rest: Rest) {
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
      if (interned.length % 256 === 0) await rest();
    }
    return interned;
  };
}

/** Lets whatever else there is to do be done. */
export const breathe = () => new Promise((resolve) => setTimeout(resolve));

type Change = Pick<Stretch, "kind" | "count">;

async function compareNumbers(
  before: readonly number[],
  after: readonly number[],
  rest: Rest,
): Promise<Change[] | undefined> {
  // What is in one text alone has changed for certain: the fewer are left, the sooner the rest is found.
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const oldIndexes = indexesWhere(before, (number) => inAfter.has(number));
  const newIndexes = indexesWhere(after, (number) => inBefore.has(number));
  await breathe();
  const found = await compareShared(
    oldIndexes.map((index) => before[index] ?? -1),
    newIndexes.map((index) => after[index] ?? -1),
    rest,
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

function indexesWhere(numbers: readonly number[], isWanted: (number: number) => boolean): number[] {
  const indexes: number[] = [];
  for (const [index, number] of numbers.entries()) if (isWanted(number)) indexes.push(index);
  return indexes;
}

/** Compares what lies between lines that are certain to belong together, stretch by stretch. */
async function compareShared(before: number[], after: number[], rest: Rest): Promise<Change[] | undefined> {
  const deadline = performance.now() + PATIENCE;
  const changes: Change[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of await findAnchors(before, after, rest)) {
    const found = await compareStretch(before.slice(oldAt, old), after.slice(newAt, fresh), deadline);
    if (found === undefined) return undefined;
    for (const change of found) changes.push(change);
    changes.push({ kind: "same", count: 1 });
    [oldAt, newAt] = [old + 1, fresh + 1];
    await rest();
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
  // What may take a slice of its own does not come at the end of another.
  if (before.length + after.length > QUICK) await breathe();
  const patience = deadline - performance.now();
  if (patience <= 0) return undefined;
  const found =
    diffArrays(before, after, { timeout: SLICE }) ??
    // This way it breathes after each step.
    (await new Promise<ReturnType<typeof diffArrays<number>> | undefined>((resolve) =>
      diffArrays(before, after, { timeout: patience, maxEditLength: MOST_MOVED, callback: resolve }),
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
