import { diffArrays } from "diff";

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

/** Milliseconds for which the page may be held; most comparisons take less. */
const SLICE = 24;
/** Milliseconds and changed lines after which two texts count as too different. */
const PATIENCE = 10_000;
const MOST_CHANGES = 3_000;

/** What has changed from one text to another, or undefined when that would take too long to find out. */
export async function compareTexts(
  oldText: string,
  newText: string,
  signal: AbortSignal,
): Promise<Comparison | undefined> {
  const oldLines = linesOf(oldText);
  const newLines = linesOf(newText);
  const head = countAlike(oldLines, newLines);
  const tail = countAlikeAtEnd(oldLines, newLines, head);
  const intern = createInterning();
  const oldMiddle = await intern(oldLines.slice(head, oldLines.length - tail), signal);
  const newMiddle = await intern(newLines.slice(head, newLines.length - tail), signal);
  const changes = await compareNumbers(oldMiddle, newMiddle);
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

/** Gives equal lines equal numbers, which are compared faster, without holding the page for long. */
function createInterning() {
  const numbers = new Map<string, number>();
  return async (lines: readonly string[], signal: AbortSignal): Promise<number[]> => {
    const interned: number[] = [];
    let sliceEnd = performance.now() + SLICE;
    for (const line of lines) {
      let number = numbers.get(line);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(line, number);
      }
      interned.push(number);
      if (interned.length % 256 === 0 && performance.now() > sliceEnd) {
        await breathe();
        signal.throwIfAborted();
        sliceEnd = performance.now() + SLICE;
      }
    }
    return interned;
  };
}

const breathe = () => new Promise((resolve) => setTimeout(resolve));

type Change = Pick<Stretch, "kind" | "count">;

async function compareNumbers(before: number[], after: number[]): Promise<Change[] | undefined> {
  if (before.length === 0) return [{ kind: "added", count: after.length }];
  if (after.length === 0) return [{ kind: "removed", count: before.length }];
  const found =
    diffArrays(before, after, { timeout: SLICE }) ??
    // Lets the page do other things after each step.
    (await new Promise<ReturnType<typeof diffArrays<number>> | undefined>((resolve) =>
      diffArrays(before, after, { timeout: PATIENCE, maxEditLength: MOST_CHANGES, callback: resolve }),
    ));
  return found?.map(({ added, removed, count }) => ({ kind: added ? "added" : removed ? "removed" : "same", count }));
}

function placed(changes: readonly Change[]): Stretch[] {
  let oldStart = 0;
  let newStart = 0;
  return changes.flatMap(({ kind, count }) => {
    const stretch = { kind, count, oldStart, newStart };
    if (kind !== "added") oldStart += count;
    if (kind !== "removed") newStart += count;
    return count === 0 ? [] : [stretch];
  });
}
