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
const FILTER_BITS = 20;

/** A piece of one anchor or of several. */
interface Seed {
  text: string;
  /** The anchor it belongs to, and its position in prefix, quote and suffix together. */
  uses: { anchor: number; offset: number }[];
  /** Where the page has it; undefined once it turned out to be common. */
  hits: number[] | undefined;
}

/**
 * Finds where a page has pieces of the anchors' texts, in one pass for all. Returns, for each anchor, where its prefix would start
 * according to each piece. Yields between parts of the work.
 */
export function* findSeeds(text: string, anchors: readonly TextAnchor[]): Generator<void, number[][]> {
  const seeds = new Map<string, Seed>();
  for (const [index, anchor] of anchors.entries()) addSeeds(seeds, anchor, index);
  const byHash = Map.groupBy(seeds.values(), (seed) => hashOf(seed.text));
  // Counts the hashes behind each of its places, so that most positions of the page need no look-up.
  const filter = new Uint16Array(1 << FILTER_BITS);
  for (const hash of byHash.keys()) add(filter, hash, 1);
  yield;
  yield* scan(text, filter, (hash, at) => {
    const alike = byHash.get(hash);
    if (alike === undefined) return;
    let isTelling = false;
    for (const seed of alike) isTelling = note(seed, text, at) || isTelling;
    if (isTelling) return;
    byHash.delete(hash);
    add(filter, hash, -1);
  });
  const starts: number[][] = anchors.map(() => []);
  for (const { uses, hits } of seeds.values()) {
    for (const { anchor, offset } of uses) for (const hit of hits ?? []) starts[anchor]?.push(hit - offset);
  }
  return starts;
}

function add(filter: Uint16Array, hash: number, count: 1 | -1): void {
  const place = hash >>> (32 - FILTER_BITS);
  filter[place] = (filter[place] ?? 0) + count;
}

/** Returns whether the seed can still say where something is. */
function note(seed: Seed, text: string, at: number): boolean {
  if (seed.hits === undefined) return false;
  if (!text.startsWith(seed.text, at)) return true;
  if (seed.hits.length >= COMMON) seed.hits = undefined;
  else seed.hits.push(at);
  return seed.hits !== undefined;
}

function addSeeds(seeds: Map<string, Seed>, { prefix, quote, suffix }: TextAnchor, anchor: number): void {
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
    const seed = seeds.get(text) ?? { text, uses: [], hits: [] };
    seed.uses.push({ anchor, offset });
    seeds.set(text, seed);
  }
}

function hashOf(text: string): number {
  let hash = 0;
  for (let at = 0; at < LENGTH; at++) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;
  return hash;
}

type Found = (hash: number, at: number) => void;

/** Calls back for each place whose hash may be one of those looked for. */
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
    if (filter[hash >>> (32 - FILTER_BITS)] !== 0) found(hash, from + at);
    hash = (hash - Math.imul(text.charCodeAt(at), LEAVING)) | 0;
    hash = (Math.imul(hash, BASE) + text.charCodeAt(at + LENGTH)) | 0;
  }
}
