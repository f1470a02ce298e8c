import type { TextAnchor } from "./anchor.ts";

/** Characters of a seed: shorter ones occur everywhere, longer ones are changed too easily. */
const LENGTH = 8;
/** Occurrences after which a seed says nothing about a place. */
const COMMON = 100;
/** Seeds of one anchor, at most. */
const PIECES = 40;
/** Searches through the whole page, at most: each takes up to 12 milliseconds for five megabytes of texts that are alike. */
const SEARCHES = 8;
/** Characters of a page that are searched at a time. */
const STEP = 100_000;
/** A multiple of 16, so that 32 bits forget a character after eight others. */
const BASE = 0x9e3779b0;
const FILTER_BITS = 18;

/** A piece of one anchor or of several. */
interface Seed {
  text: string;
  /** The anchor it belongs to, and its position in prefix, quote and suffix together. */
  uses: { anchor: number; offset: number }[];
  /** Where the page has it. */
  hits: number[];
}

/** By their hashes. Of two with the same hash, which is rare, only one is looked for. */
type Seeds = Map<number, Seed>;

/**
 * Finds where a page may have the anchors' texts. Returns, for each, where its prefix would start: for texts that are as they were,
 * where they were or as far away as others, that place alone; for the rest, one place for each piece of them that the page has.
 * Yields between parts of the work.
 */
export function* findSeeds(text: string, anchors: readonly TextAnchor[]): Generator<void, number[][]> {
  const starts = yield* findMoved(text, anchors);
  const seeds: Seeds = new Map();
  for (const [index, anchor] of anchors.entries()) if (starts[index]?.length === 0) addSeeds(seeds, anchor, index);
  if (seeds.size === 0) return starts;
  // Counts the seeds behind each of its places, so that most positions of the page need no look-up.
  const filter = new Uint16Array(1 << FILTER_BITS);
  for (const hash of seeds.keys()) count(filter, hash, 1);
  yield;
  yield* scan(text, filter, (hash, at) => {
    const seed = seeds.get(hash);
    if (seed === undefined || !text.startsWith(seed.text, at) || seed.hits.push(at) <= COMMON) return;
    seeds.delete(hash);
    count(filter, hash, -1);
  });
  for (const { uses, hits } of seeds.values()) {
    for (const { anchor, offset } of uses) for (const hit of hits) starts[anchor]?.push(hit - offset);
  }
  return starts;
}

/**
 * Finds texts that have moved together, as all have below an added paragraph: the first of them tells where the others are, also
 * that right below the paragraph.
 */
function* findMoved(text: string, anchors: readonly TextAnchor[]): Generator<void, number[][]> {
  const shifts = [0];
  const starts: number[][] = [];
  let searches = SEARCHES;
  for (const { prefix, quote, suffix, start } of anchors) {
    const [whole, before] = [prefix + quote + suffix, start - prefix.length];
    let places = shifts.map((shift) => before + shift).filter((at) => at >= 0 && text.startsWith(whole, at));
    // What is where it was has not moved.
    if (places[0] === before) places = [before];
    if (before >= 0 && places.length === 0 && searches-- > 0) {
      places = onlyPlaceOf(whole, text);
      for (const at of places) shifts.push(at - before);
    }
    starts.push(places.length === 1 ? places : []);
    yield;
  }
  // What was not looked for with both sides may have them elsewhere.
  for (const [index, anchor] of anchors.entries()) {
    if (searches >= 0 && starts[index]?.length === 0) starts[index] = placesBelow(anchor, text, shifts);
  }
  return starts;
}

/** Returns where a page has a text, if it has it once. */
export function onlyPlaceOf(whole: string, text: string): number[] {
  const at = text.indexOf(whole);
  return at >= 0 && text.indexOf(whole, at + 1) < 0 ? [at] : [];
}

/**
 * Returns where a page has a text above which something was added, so that the beginning of its prefix has moved less than the
 * rest. Where something was taken away instead, alike texts may stand there.
 */
function placesBelow({ prefix, quote, suffix, start }: TextAnchor, text: string, shifts: readonly number[]): number[] {
  const [whole, before] = [prefix + quote + suffix, start - prefix.length];
  const places: number[] = [];
  for (const less of shifts) {
    let head = 0;
    while (head <= prefix.length && text[before + less + head] === whole[head]) head++;
    for (const more of shifts) {
      const isBelow = less < more && head <= prefix.length;
      if (isBelow && text.startsWith(whole.slice(head), before + more + head)) places.push(before + more);
    }
  }
  return places.length === 1 ? places : [];
}

const placeOf = (hash: number): number => hash >>> (32 - FILTER_BITS);

function count(filter: Uint16Array, hash: number, by: 1 | -1): void {
  const place = placeOf(hash);
  filter[place] = (filter[place] ?? 0) + by;
}

function addSeeds(seeds: Seeds, { prefix, quote, suffix }: TextAnchor, anchor: number): void {
  const whole = prefix + quote + suffix;
  const stride = Math.max(5, Math.ceil(whole.length / PIECES));
  for (let offset = 0; offset + LENGTH <= whole.length; offset += stride) {
    const text = whole.slice(offset, offset + LENGTH);
    const hash = hashOf(text);
    const seed = seeds.get(hash) ?? { text, uses: [], hits: [] };
    if (seed.text === text) seed.uses.push({ anchor, offset });
    seeds.set(hash, seed);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < LENGTH; at++) hash = hashWith(hash, text.charCodeAt(at));
  return hash;
}

/** Returns the hash of a seed that ends with one more character: of those before, only as many count as a seed has. */
const hashWith = (hash: number, character: number): number => (Math.imul(hash, BASE) + character) | 0;

type Found = (hash: number, at: number) => void;

/** Calls back for each position that may have a seed. */
function* scan(text: string, filter: Uint16Array, found: Found): Generator<void> {
  for (let from = 0; from + LENGTH <= text.length; from += STEP) {
    scanPart(text, from, filter, found);
    yield;
  }
}

/** Scans a part in a separate loop, which engines optimize better than a generator's. */
function scanPart(text: string, from: number, filter: Uint16Array, found: Found): void {
  const end = Math.min(from + STEP + LENGTH - 1, text.length);
  let hash = 0;
  for (let at = from; at < end; at++) {
    hash = hashWith(hash, text.charCodeAt(at));
    if (filter[placeOf(hash)] !== 0) found(hash, at + 1 - LENGTH);
  }
}
