import { diffArrays } from "diff";

/** Positions of one and the same element in both sequences. */
export type Match = readonly [before: number, after: number];

/** Edits between two anchors beyond which only anchors are matched. */
const MAX_EDITS = 1_000;

/** Returns which elements of two sequences are the same and in the same order: unique ones first, then those between them. */
export function align(before: readonly string[], after: readonly string[]): Match[] {
  const matches: Match[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of [...uniqueMatches(before, after), [before.length, after.length] as const]) {
    for (const match of alignBetween(before, after, [oldAt, old], [newAt, fresh])) matches.push(match);
    if (old < before.length) matches.push([old, fresh]);
    [oldAt, newAt] = [old + 1, fresh + 1];
  }
  return matches;
}

type Span = readonly [start: number, end: number];

function alignBetween(before: readonly string[], after: readonly string[], old: Span, fresh: Span): Match[] {
  const [oldPart, newPart] = [before.slice(...old), after.slice(...fresh)];
  if (oldPart.length === 0 || newPart.length === 0) return [];
  const matches: Match[] = [];
  let [oldAt, newAt] = [old[0], fresh[0]];
  for (const { added, removed, count } of diffArrays(oldPart, newPart, { maxEditLength: MAX_EDITS }) ?? []) {
    if (!added && !removed) for (let index = 0; index < count; index++) matches.push([oldAt + index, newAt + index]);
    if (!added) oldAt += count;
    if (!removed) newAt += count;
  }
  return matches;
}

/** Returns the elements that occur once in each sequence, the most that are in the same order (patience diff). */
export function uniqueMatches<Element>(before: readonly Element[], after: readonly Element[]): Match[] {
  const [olds, news] = [uniquePositions(before), uniquePositions(after)];
  const pairs: Match[] = [];
  for (const [value, old] of olds) {
    const fresh = news.get(value);
    if (old !== undefined && fresh !== undefined) pairs.push([old, fresh]);
  }
  return longestIncreasing(pairs);
}

function uniquePositions<Element>(values: readonly Element[]): Map<Element, number | undefined> {
  const positions = new Map<Element, number | undefined>();
  for (const [index, value] of values.entries()) positions.set(value, positions.has(value) ? undefined : index);
  return positions;
}

/** Returns the longest run of pairs, given in the order of `before`, that is also in the order of `after`. */
export function longestIncreasing(pairs: readonly Match[]): Match[] {
  /** The last pair of the best run of each length, and each pair's predecessor in its run. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [index, [, fresh]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < fresh) low = middle + 1;
      else high = middle;
    }
    previous.push(low === 0 ? undefined : ends[low - 1]);
    ends[low] = index;
  }
  const run: Match[] = [];
  for (let index = ends.at(-1); index !== undefined; index = previous[index]) {
    const pair = pairs[index];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}
