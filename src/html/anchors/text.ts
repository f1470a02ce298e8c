import search from "approx-string-match";
import { ANCHOR_LIMITS, type Resolution, type TextAnchor } from "./anchor.ts";
import { type AnchorPage, headingsAt } from "./page.ts";
import { onlyPlaceOf } from "./seeds.ts";
import { contextSimilarity, headingSimilarity, isNumeric, similarity, withoutNumbers } from "./similarity.ts";

/** Pieces that agree on a place, within so many characters. */
const CLUSTER = 24;
/** Places that are examined, most promising first. */
const EXAMINED = 48;
/** The share of a quote that may differ. */
const DIFFERENCE = 0.35;
/** The share of words that stay in a text that was edited, rather than replaced by one built alike. */
const SAME_WORDS = 0.7;
/** By how much the best place has to be better than the next. */
const MARGIN = 0.06;

interface Candidate {
  start: number;
  end: number;
  /** How much of the quote is there, from 0 to 1. */
  quote: number;
  prefix: number;
  suffix: number;
  headings: number;
}

/** Returns where a text is, given where pieces of it and of its surroundings are; undefined if no place is certain enough. */
export function placeText(anchor: TextAnchor, page: AnchorPage, starts: number[]): Resolution | undefined {
  const whole = unchanged(anchor, page, starts);
  const ranges = whole === undefined ? rangesOf(anchor, page, starts) : [whole];
  const candidates = ranges
    .map((range) => judged(anchor, page, range))
    .sort((one, other) => scoreOf(other) - scoreOf(one));
  const [best, next] = candidates;
  if (best === undefined || !isCertain(anchor, page, best)) return undefined;
  // Of equal ones, the one at the very same place is the same one.
  if (next !== undefined && scoreOf(best) - scoreOf(next) < MARGIN) return undefined;
  const { start, end } = best;
  return { place: placeOf(best), target: { kind: "text", start, end } };
}

interface Range {
  start: number;
  end: number;
  quote: number;
}

/** Returns the one place that has the same text with the same surroundings. */
function unchanged({ prefix, quote, suffix }: TextAnchor, { text }: AnchorPage, starts: number[]): Range | undefined {
  const whole = prefix + quote + suffix;
  const hasWhole = (at: number): boolean => at >= 0 && text.startsWith(whole, at);
  // If there are no starts, all of its pieces are common.
  const places = starts.length > 0 ? [...new Set(starts)].filter(hasWhole) : onlyPlaceOf(whole, text);
  const [at = 0] = places;
  const start = at + prefix.length;
  return places.length === 1 ? { start, end: start + quote.length, quote: 1 } : undefined;
}

function rangesOf(anchor: TextAnchor, { text }: AnchorPage, starts: number[]): Range[] {
  const found: Range[] = [];
  for (const { from, to } of clusters(starts).slice(0, EXAMINED)) {
    const expected = from + anchor.prefix.length;
    const slack = Math.min(160, 24 + Math.ceil(anchor.quote.length / 2));
    const windowStart = Math.max(0, expected - slack);
    const window = text.slice(windowStart, to + anchor.prefix.length + anchor.quote.length + slack);
    for (const range of inWindow(anchor, window, expected - windowStart)) {
      found.push({ ...range, start: range.start + windowStart, end: range.end + windowStart });
    }
  }
  return withoutOverlaps(found);
}

/** Returns groups of nearby places, those with the most pieces first. */
function clusters(starts: number[]): { from: number; to: number; count: number }[] {
  const groups: { from: number; to: number; count: number }[] = [];
  for (const at of starts.sort((one, other) => one - other)) {
    const group = groups.at(-1);
    if (group !== undefined && at - group.to <= CLUSTER) {
      group.to = at;
      group.count++;
    } else groups.push({ from: at, to: at, count: 1 });
  }
  return groups.sort((one, other) => other.count - one.count);
}

/** Of places that overlap, keeps the one that has more of the quote. */
function withoutOverlaps(ranges: Range[]): Range[] {
  const kept: Range[] = [];
  for (const range of ranges.sort((one, other) => other.quote - one.quote)) {
    if (kept.every(({ start, end }) => range.end <= start || range.start >= end)) kept.push(range);
  }
  return kept;
}

/** Returns where a window has the quote: word for word, nearly, or something else between the same surroundings. */
function inWindow(anchor: TextAnchor, window: string, expected: number): Range[] {
  const { quote } = anchor;
  const same: Range[] = [];
  for (let at = window.indexOf(quote); at >= 0; at = window.indexOf(quote, at + 1)) {
    if (isWhole(window, at, at + quote.length, quote)) same.push({ start: at, end: at + quote.length, quote: 1 });
  }
  if (same.length > 0) return same;
  const renumbered = withOtherNumbers(quote, window);
  if (renumbered.length > 0) return renumbered;
  const replaced = between(anchor, window);
  if (quote.length < 12) return replaced;
  const nearest = search(window, quote, Math.floor(quote.length * DIFFERENCE))
    .map(({ start, end, errors }) => ({ start, end, quote: 1 - errors / quote.length }))
    .sort(
      (one, other) => other.quote - one.quote || Math.abs(one.start - expected) - Math.abs(other.start - expected),
    )[0];
  return nearest === undefined ? replaced : [wholeWords(window, nearest)];
}

/** Returns where a window has the quote with other numbers: the most common change of a report. */
function withOtherNumbers(quote: string, window: string): Range[] {
  if (!/\d/.test(quote) || wordsIn(quote).length === 0) return [];
  const pattern = quote
    .split(NUMBERS)
    .map((words) => words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(NUMBERS.source);
  return [...window.matchAll(new RegExp(pattern, "g"))]
    .map(({ 0: { length }, index }) => ({ start: index, end: index + length, quote: 0.9 }))
    .filter(({ start, end }) => isWhole(window, start, end, quote));
}

const NUMBERS = /\d[\d.,\u00a0]*(?<=\d)/;
const WORD = /[\p{L}\p{N}]/u;

/** Returns whether two neighboring characters belong to one word or number. */
const joins = (one = "", other = ""): boolean => WORD.test(one) && WORD.test(other);

/** Returns whether a match is no part of a longer word or number, unless the quote itself ends inside one. */
function isWhole(text: string, start: number, end: number, quote: string): boolean {
  const isDecimal = /\d$/.test(quote) && /^[.,]\d/.test(text.slice(end, end + 2));
  return !(joins(text[start - 1], quote[0]) || joins(quote.at(-1), text[end]) || isDecimal);
}

/** Returns the range, extended to whole words and without white space around. */
function wholeWords(text: string, range: Range): Range {
  let { start, end } = range;
  while (joins(text[start - 1], text[start])) start--;
  while (joins(text[end - 1], text[end])) end++;
  while (start < end && /\s/.test(text[start] ?? "")) start++;
  while (end > start && /\s/.test(text[end - 1] ?? "")) end--;
  return { ...range, start, end };
}

/** Returns the number that stands where the quoted number stood, between the same words of its line. */
function between({ prefix, quote, suffix }: TextAnchor, window: string): Range[] {
  if (!isNumeric(quote)) return [];
  const before = prefix.slice(prefix.lastIndexOf("\n") + 1).slice(-24);
  const after = startOfLine(suffix);
  if (!/\p{L}{2}/u.test(before) && !(before === "" && /\p{L}{2}/u.test(after))) return [];
  const ranges: Range[] = [];
  for (let at = window.indexOf(before); at >= 0; at = window.indexOf(before, at + 1)) {
    const start = at + before.length;
    const number = /^[^\p{L}\s]*\d[^\p{L}\s]*/u.exec(window.slice(start))?.[0] ?? "";
    const isAfter = contextSimilarity(after, startOfLine(window.slice(start + number.length)));
    if (number !== "" && isAfter >= 0.5) ranges.push({ start, end: start + number.length, quote: 0.7 });
    if (before === "") break;
  }
  return ranges;
}

const startOfLine = (text: string): string => text.slice(0, 24).split("\n", 1)[0] ?? "";

function judged({ prefix, suffix, headings }: TextAnchor, page: AnchorPage, { start, end, quote }: Range): Candidate {
  const around = ANCHOR_LIMITS.context;
  const isAtStart = prefix.length < around;
  return {
    ...{ start, end, quote },
    // Where the page began, what comes before the text now is new.
    prefix: contextSimilarity(
      prefix,
      page.text.slice(Math.max(0, start - (isAtStart ? prefix.length : around)), start),
    ),
    suffix: contextSimilarity(suffix, page.text.slice(end, end + (suffix.length < around ? suffix.length : around))),
    headings: headingSimilarity(headings, headingsAt(page, start)),
  };
}

/** The neighbor that stayed says more than the one that was changed. */
const scoreOf = ({ quote, prefix, suffix, headings }: Candidate): number =>
  0.5 * quote + 0.25 * Math.max(prefix, suffix) + 0.1 * Math.min(prefix, suffix) + 0.15 * headings;

const wordsIn = (text: string): string[] => text.toLowerCase().match(/\p{L}[\p{L}\p{N}_-]+/gu) ?? [];

/** Returns whether a place is the anchor's, and not just something like it. */
function isCertain(anchor: TextAnchor, page: AnchorPage, candidate: Candidate): boolean {
  const { quote, prefix, suffix, headings } = candidate;
  const near = Math.max(prefix, suffix);
  if (quote === 1) return isCertainQuote(anchor, near, headings);
  const found = page.text.slice(candidate.start, candidate.end);
  if (isNeighbor(anchor, found) || sharedWords(anchor.quote, found) < SAME_WORDS) return false;
  if (haveSameWords(anchor.quote, found)) return near >= 0.5 && headings >= 0.3;
  if (quote >= 0.85 && anchor.quote.length >= 60) return near >= 0.55 && (headings >= 0.7 || near >= 0.8);
  // One other word makes it another thing in lists and tables, so both neighbors have to agree.
  return near >= 0.8 && headings >= 0.7 && Math.min(prefix, suffix) >= 0.45;
}

/** Returns whether a place has the very words: the fewer there are, the more has to speak for the place. */
function isCertainQuote({ quote }: TextAnchor, near: number, headings: number): boolean {
  const words = wordsIn(quote).length;
  const isTelling = words >= 5 || (words >= 3 && quote.length >= 24);
  if (isTelling) return near >= 0.25 || headings >= 0.75 || words >= 8;
  return near >= 0.6 || (near >= 0.4 && headings >= 0.75 && words >= 1);
}

/** Returns the share of a text's words that another one has too. */
function sharedWords(one: string, other: string): number {
  const [words, others] = [new Set(wordsIn(one)), new Set(wordsIn(other))];
  return words.size === 0 ? 1 : words.intersection(others).size / Math.max(words.size, others.size);
}

const haveSameWords = (one: string, other: string): boolean =>
  withoutNumbers(wordsIn(one).join(" ")) === withoutNumbers(wordsIn(other).join(" "));

/** Returns whether a text stood beside the quote before, so that it can't be the quote now. */
function isNeighbor({ prefix, quote, suffix }: TextAnchor, found: string): boolean {
  const sizes = Math.min(found.length, ANCHOR_LIMITS.context);
  const own = similarity(found.slice(0, sizes), quote.slice(0, sizes));
  const after = similarity(found.slice(0, sizes), suffix.trimStart().slice(0, sizes));
  const before = similarity(found.slice(-sizes), prefix.trimEnd().slice(-sizes));
  return Math.max(after, before) > own;
}

function placeOf({ quote, prefix, suffix, headings }: Candidate): "exact" | "moved" | "changed" {
  if (quote < 1) return "changed";
  return headings >= 0.75 && Math.max(prefix, suffix) >= 0.5 ? "exact" : "moved";
}
