import { breathe } from "./breathe.ts";

export interface Passage {
  /** Where its first match is. */
  offset: number;
  /** Matches near each other, with what is around them. */
  text: string;
}

interface Found {
  passages: Passage[];
  /** Number of matches. */
  count: number;
  /** Number of matches in the passages. */
  shown: number;
}

/** Characters to show on each side of a match. */
const AROUND = 150;
/** Characters of a passage that has several matches. */
const LONGEST = 1000;
/** Characters to search between two breaks. */
const WINDOW = 256 * 1024;

interface Span {
  offset: number;
  from: number;
  to: number;
}

/** Adds a match to the passage before it if they overlap, or as a passage. Returns false if there are too many. */
function addSpan(spans: Span[], span: Span, most: number): boolean {
  const last = spans.at(-1);
  if (last !== undefined && span.from <= last.to && span.to - last.from <= LONGEST) last.to = span.to;
  else if (spans.length < most) spans.push(span);
  else return false;
  return true;
}

/** Returns the patterns of words. A hyphen within a word divides it. */
const patternsOf = (phrase: string): string[] =>
  phrase
    .trim()
    .split(/\s+|(?<=\p{L})\p{Pd}(?=\p{L})/u)
    .map(RegExp.escape);

/** Finds a phrase in a text, whatever case its words have, and whether spaces or hyphens are between them. Returns the first passages. */
export async function findPhrase(text: string, phrase: string, most: number): Promise<Found> {
  const pattern = new RegExp(patternsOf(phrase).join("[\\s\\p{Pd}]+"), "giu");
  const spans: Span[] = [];
  let count = 0;
  let shown = 0;
  let from = 0;
  while (from < text.length) {
    const end = from + WINDOW;
    // A match that starts in the window can end after it.
    const part = text.slice(from, end + phrase.length * 2);
    let next = end;
    for (const match of part.matchAll(pattern)) {
      const start = from + match.index;
      if (start >= end) break;
      count++;
      next = Math.max(end, start + match[0].length);
      const span = { offset: start, from: Math.max(0, start - AROUND), to: start + match[0].length + AROUND };
      // After the first match that isn't shown, none is.
      if (shown === count - 1 && addSpan(spans, span, most)) shown++;
    }
    from = next;
    await breathe();
  }
  const passages = spans.map((span) => ({
    offset: span.offset,
    text: tidy(text.slice(span.from, span.to)),
  }));
  return { passages, count, shown };
}

/** Characters of a line that is examined for words: longer ones, as of scripts, are no rows or paragraphs. */
const LONGEST_LINE = 10_000;

/** Finds lines, such as rows of tables, that have all words of a phrase in any order. Returns the first. */
export async function findLines(text: string, phrase: string, most: number): Promise<Found> {
  const patterns = patternsOf(phrase).map((pattern) => new RegExp(pattern, "iu"));
  const passages: Passage[] = [];
  let count = 0;
  let unbroken = 0;
  for (let start = 0, end = 0; patterns.length > 1 && start < text.length; start = end + 1) {
    end = text.indexOf("\n", start);
    if (end < 0) end = text.length;
    unbroken += end - start;
    if (unbroken > WINDOW) {
      await breathe();
      unbroken = 0;
    }
    if (end - start > LONGEST_LINE) continue;
    const line = text.slice(start, end);
    if (!patterns.every((pattern) => pattern.test(line))) continue;
    count++;
    if (passages.length < most) passages.push({ offset: start, text: tidy(line.slice(0, LONGEST)) });
  }
  return { passages, count, shown: passages.length };
}

/** Leaves out what is needless between words and lines. Lines stay apart, because they may be rows of a table. */
const tidy = (text: string): string =>
  text
    .replace(/\s+/g, (space) => (space.includes("\n") ? "\n" : " "))
    .trim()
    .toWellFormed();
