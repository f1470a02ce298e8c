import type { TextAnchor } from "./anchor.ts";

/** Characters of a seed: shorter ones occur everywhere, longer ones are changed too easily. */
const LENGTH = 8;
/** Occurrences after which a seed says nothing about a place. */
const COMMON = 100;
/** Seeds of one anchor, at most, in its quote. */
const IN_QUOTE = 24;
/** Characters of a page that are searched at a time. */
const STEP = 100_000;
const BASE = 0x01000193;
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

/** Returns whether the very same place has the same text with the same surroundings. */
export const isInPlace = ({ prefix, quote, suffix, start }: TextAnchor, text: string): boolean =>
  start >= prefix.length && text.startsWith(prefix + quote + suffix, start - prefix.length);

/**
 * Finds where a page has pieces of the anchors' texts, in one pass for all. Returns, for each anchor that isn't in its place, where
 * its prefix would start according to each piece. Yields between parts of the work.
 */
export function* findSeeds(text: string, anchors: readonly TextAnchor[]): Generator<void, number[][]> {
  const seeds: Seeds = new Map();
  for (const [index, anchor] of anchors.entries()) if (!isInPlace(anchor, text)) addSeeds(seeds, anchor, index);
  if (seeds.size === 0) return anchors.map(() => []);
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
  const starts: number[][] = anchors.map(() => []);
  for (const { uses, hits } of seeds.values()) {
    for (const { anchor, offset } of uses) for (const hit of hits) starts[anchor]?.push(hit - offset);
  }
  return starts;
}

const placeOf = (hash: number): number => hash >>> (32 - FILTER_BITS);

function count(filter: Uint16Array, hash: number, by: 1 | -1): void {
  const place = placeOf(hash);
  filter[place] = (filter[place] ?? 0) + by;
}

function addSeeds(seeds: Seeds, { prefix, quote, suffix }: TextAnchor, anchor: number): void {
  const whole = prefix + quote + suffix;
  const offsets = new Set<number>();
  const stride = Math.max(5, Math.ceil(quote.length / IN_QUOTE));
  const end = prefix.length + quote.length;
  for (let at = prefix.length - LENGTH; at >= 0; at -= 7) offsets.add(at);
  for (let at = prefix.length; at < end; at += stride) offsets.add(at);
  offsets.add(end - LENGTH);
  for (let at = end; at < whole.length; at += 7) offsets.add(at);
  for (const offset of offsets) {
    if (offset < 0 || offset + LENGTH > whole.length) continue;
    const text = whole.slice(offset, offset + LENGTH);
    const hash = hashOf(text);
    const seed = seeds.get(hash) ?? { text, uses: [], hits: [] };
    if (seed.text === text) seed.uses.push({ anchor, offset });
    seeds.set(hash, seed);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < LENGTH; at++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
  return hash;
}

type Found = (hash: number, at: number) => void;

/** Calls back for each position that may have a seed. */
function* scan(text: string, filter: Uint16Array, found: Found): Generator<void> {
  for (let from = 0; from + LENGTH <= text.length; from += STEP) {
    scanPart(text.slice(from, from + STEP + LENGTH - 1), from, filter, found);
    yield;
  }
}

/** The weight of a character that leaves the window. */
const LEAVING = Array.from({ length: LENGTH - 1 }).reduce<number>((weight) => Math.imul(weight, BASE), 1);

/** Scans a part in a separate loop, which engines optimize better than a generator's. */
function scanPart(text: string, from: number, filter: Uint16Array, found: Found): void {
  let hash = hashOf(text);
  const last = text.length - LENGTH;
  for (let at = 0; at <= last; at++) {
    if (filter[placeOf(hash)] !== 0) found(hash, from + at);
    hash = (hash - Math.imul(text.charCodeAt(at), LEAVING)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at + LENGTH)) | 0;
  }
}
