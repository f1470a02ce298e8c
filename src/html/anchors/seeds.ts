import type { TextAnchor } from "./anchor.ts";
import { findMoved } from "./moved.ts";

/** Characters of a seed: shorter ones occur everywhere, longer ones are changed too easily. */
const LENGTH = 8;
/** Characters between the positions of a page that are looked at. Each piece of an anchor has so many seeds, one character apart. */
const STRIDE = 4;
/** Occurrences after which a seed says nothing about a place. */
const COMMON = 100;
/** Pieces of one anchor, at most, in its quote. */
const IN_QUOTE = 24;
/** Characters of a page that are searched at a time. */
const STEP = 100_000;
const FILTER_BITS = 18;

/** A part of one anchor or of several. */
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
 * Finds where a page has pieces of the anchors' texts, in one pass for all that haven't just moved. Returns, for each anchor, where
 * its prefix would start according to each piece. Yields between parts of the work.
 */
export function* findSeeds(text: string, anchors: readonly TextAnchor[]): Generator<void, number[][]> {
  const moved = yield* findMoved(text, anchors);
  const starts = anchors.map(({ start, prefix }, index) => {
    const shift = moved[index];
    return shift === undefined ? [] : [start - prefix.length + shift];
  });
  const seeds: Seeds = new Map();
  for (const [index, anchor] of anchors.entries()) if (moved[index] === undefined) addSeeds(seeds, anchor, index);
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

const placeOf = (hash: number): number => hash >>> (32 - FILTER_BITS);

function count(filter: Uint16Array, hash: number, by: 1 | -1): void {
  const place = placeOf(hash);
  filter[place] = (filter[place] ?? 0) + by;
}

function addSeeds(seeds: Seeds, { prefix, quote, suffix }: TextAnchor, anchor: number): void {
  const whole = prefix + quote + suffix;
  const bytes = bytesOf(whole);
  for (const offset of offsetsOf(prefix.length, quote.length, whole.length)) {
    const text = whole.slice(offset, offset + LENGTH);
    const hash = hashAt(bytes, offset);
    const seed = seeds.get(hash) ?? { text, uses: [], hits: [] };
    if (seed.text === text) seed.uses.push({ anchor, offset });
    seeds.set(hash, seed);
  }
}

/** Returns where the seeds of an anchor begin. */
function offsetsOf(prefix: number, quote: number, whole: number): Set<number> {
  const pieces: number[] = [];
  const end = prefix + quote;
  for (let at = prefix - LENGTH; at >= 0; at -= 7) pieces.push(at);
  for (let at = prefix; at < end; at += Math.max(5, Math.ceil(quote / IN_QUOTE))) pieces.push(at);
  pieces.push(end - LENGTH);
  for (let at = end; at < whole; at += 7) pieces.push(at);
  const offsets = pieces.flatMap((piece) => Array.from({ length: STRIDE }, (_, phase) => piece + phase));
  return new Set(offsets.filter((offset) => offset >= 0 && offset + LENGTH <= whole));
}

type Found = (hash: number, at: number) => void;

/** Calls back for each position of those looked at that may have a seed. */
function* scan(text: string, filter: Uint16Array, found: Found): Generator<void> {
  for (let from = 0; from + LENGTH <= text.length; from += STEP) {
    scanPart(bytesOf(text.slice(from, from + STEP + LENGTH - STRIDE)), from, filter, found);
    yield;
  }
}

/** Scans a part in a separate loop, which engines optimize better than a generator's. */
function scanPart(bytes: DataView, from: number, filter: Uint16Array, found: Found): void {
  const last = bytes.byteLength - LENGTH;
  for (let at = 0; at <= last; at += STRIDE) {
    const hash = hashAt(bytes, at);
    if (filter[placeOf(hash)] !== 0) found(hash, from + at);
  }
}

/** Returns one byte for each code unit of a text, which is read several times faster. */
function bytesOf(text: string): DataView {
  const { length } = text;
  const bytes = new Uint8Array(length);
  const { read, written } = new TextEncoder().encodeInto(text, bytes);
  const isAscii = read === length && written === length;
  for (let at = 0; !isAscii && at < length; at++) bytes[at] = text.charCodeAt(at) ^ (text.charCodeAt(at) >> 8);
  return new DataView(bytes.buffer);
}

const hashAt = (bytes: DataView, at: number): number =>
  Math.imul(bytes.getInt32(at), 0x9e3779b1) ^ Math.imul(bytes.getInt32(at + 4), 0x85ebca77);
