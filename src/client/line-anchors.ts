/** An element that two sequences share, by its index in each. */
export type Anchor = readonly [before: number, after: number];

/** Steps between two calls of `pause`. */
const STRIDE = 256;
const ABSENT = -1;
const REPEATED = -2;

/**
 * Returns the longest run of elements that occur once in each sequence, in the same order in both. The stretches between
 * them can be compared separately (patience diff). Elements are non-negative integers. Calls `pause` regularly.
 */
export async function findAnchors(
  before: readonly number[],
  after: readonly number[],
  pause: () => Promise<void>,
): Promise<Anchor[]> {
  const size = 1 + Math.max(await largest(before, pause), await largest(after, pause));
  const oldPlaces = await indexUnique(before, size, pause);
  const newPlaces = await indexUnique(after, size, pause);
  const shared: Anchor[] = [];
  for (const [place, number] of before.entries()) {
    const other = newPlaces[number] ?? ABSENT;
    if (oldPlaces[number] === place && other >= 0) shared.push([place, other]);
    if (place % STRIDE === 0) await pause();
  }
  return longestIncreasing(shared, pause);
}

async function largest(numbers: readonly number[], pause: () => Promise<void>): Promise<number> {
  let most = 0;
  for (const [place, number] of numbers.entries()) {
    if (number > most) most = number;
    if (place % STRIDE === 0) await pause();
  }
  return most;
}

/** Returns the index of each number that occurs once. */
async function indexUnique(numbers: readonly number[], size: number, pause: () => Promise<void>): Promise<Int32Array> {
  const places = new Int32Array(size).fill(ABSENT);
  for (const [place, number] of numbers.entries()) {
    places[number] = places[number] === ABSENT ? place : REPEATED;
    if (place % STRIDE === 0) await pause();
  }
  return places;
}

/** Returns the longest increasing subsequence of anchors that are sorted by their first index. */
async function longestIncreasing(shared: readonly Anchor[], pause: () => Promise<void>): Promise<Anchor[]> {
  /** For each length, the last anchor of the run of that length with the lowest end. */
  const ends: number[] = [];
  const previous = new Int32Array(shared.length);
  const otherOf = (index: number | undefined) => shared[index ?? ABSENT]?.[1] ?? ABSENT;
  for (const index of shared.keys()) {
    const place = firstNotBefore(ends, otherOf, otherOf(index));
    previous[index] = ends[place - 1] ?? ABSENT;
    ends[place] = index;
    if (index % STRIDE === 0) await pause();
  }
  const run: Anchor[] = [];
  for (let index = ends.at(-1) ?? ABSENT; index >= 0; index = previous[index] ?? ABSENT) {
    const anchor = shared[index];
    if (anchor !== undefined) run.push(anchor);
  }
  return run.reverse();
}

function firstNotBefore(ends: readonly number[], otherOf: (index: number | undefined) => number, wanted: number) {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (otherOf(ends[middle]) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
