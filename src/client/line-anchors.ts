/** A place in the one and in the other of two sequences. */
export type Anchor = readonly [before: number, after: number];

/** Steps between two chances for others to have a turn. */
const STRIDE = 256;
const ABSENT = -1;
const REPEATED = -2;

/**
 * Where two sequences of whole numbers from 0 on have the same one, among those that each of them has once: the most such
 * places that come in the same order in both. What lies between them can be compared by itself (patience diff).
 * `rest` is called again and again, to let others have a turn.
 */
export async function findAnchors(
  before: readonly number[],
  after: readonly number[],
  rest: () => Promise<void>,
): Promise<Anchor[]> {
  const size = 1 + Math.max(await largest(before, rest), await largest(after, rest));
  const oldPlaces = await placesOf(before, size, rest);
  const newPlaces = await placesOf(after, size, rest);
  const shared: Anchor[] = [];
  for (const [place, number] of before.entries()) {
    const other = newPlaces[number] ?? ABSENT;
    if (oldPlaces[number] === place && other >= 0) shared.push([place, other]);
    if (place % STRIDE === 0) await rest();
  }
  return longestInOrder(shared, rest);
}

async function largest(numbers: readonly number[], rest: () => Promise<void>): Promise<number> {
  let most = 0;
  for (const [place, number] of numbers.entries()) {
    if (number > most) most = number;
    if (place % STRIDE === 0) await rest();
  }
  return most;
}

/** Where each number is, if it is there once. */
async function placesOf(numbers: readonly number[], size: number, rest: () => Promise<void>): Promise<Int32Array> {
  const places = new Int32Array(size).fill(ABSENT);
  for (const [place, number] of numbers.entries()) {
    places[number] = places[number] === ABSENT ? place : REPEATED;
    if (place % STRIDE === 0) await rest();
  }
  return places;
}

/** The most of some places, which come in the order of the one sequence, that are in the order of the other as well. */
async function longestInOrder(shared: readonly Anchor[], rest: () => Promise<void>): Promise<Anchor[]> {
  /** For each length: the last of the run so long that ends first. */
  const ends: number[] = [];
  const previous = new Int32Array(shared.length);
  const otherOf = (index: number | undefined) => shared[index ?? ABSENT]?.[1] ?? ABSENT;
  for (const index of shared.keys()) {
    const place = firstNotBefore(ends, otherOf, otherOf(index));
    previous[index] = ends[place - 1] ?? ABSENT;
    ends[place] = index;
    if (index % STRIDE === 0) await rest();
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
