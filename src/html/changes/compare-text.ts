import { align } from "./align.ts";
import { type DecimalMark, NUMBER_SOURCE, numberChange, readNumber } from "./numbers.ts";
import { withoutVolatile } from "./volatile.ts";

export interface TextSpan {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A stretch that differs; an empty text on the side that lacks it. */
export interface TextChange {
  readonly before: TextSpan;
  readonly after: TextSpan;
  /** Whether both are numbers. */
  readonly isNumber: boolean;
  readonly difference: number | null;
  readonly percentage: number | null;
}

const TOKEN = new RegExp(
  `[$€£¥₹]\\s?${NUMBER_SOURCE}(?:\\s?(?:%|‰|bn\\b|[kKMBGT]\\b))?|(?<![\\w.])${NUMBER_SOURCE}(?:\\s?(?:%|‰|[€£¥₹$]|bn\\b|[kKMBGT]\\b))?|\\p{L}[\\p{L}\\p{M}\\p{N}_'’]*|⌚|[^\\s]`,
  "gu",
);

/** Texts with more words are compared as wholes. */
const MAX_TOKENS = 5_000;

function tokensOf(text: string): TextSpan[] {
  return Array.from(text.matchAll(TOKEN), (found) => ({
    text: found[0],
    start: found.index,
    end: found.index + found[0].length,
  }));
}

/** Returns the stretches of two texts that differ, apart from what is volatile. */
export function compareText(before: string, after: string, mark: DecimalMark): TextChange[] {
  if (before === after || withoutVolatile(before) === withoutVolatile(after)) return [];
  const [olds, news] = [tokensOf(before), tokensOf(after)];
  if (olds.length > MAX_TOKENS || news.length > MAX_TOKENS) return [changeOf(before, after, olds, news, mark)];
  const textsOf = (tokens: readonly TextSpan[]) => tokens.map(({ text }) => text);
  const matches = align(textsOf(olds), textsOf(news));
  const changes: TextChange[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const [old, fresh] of [...matches, [olds.length, news.length] as const]) {
    const [removed, added] = [olds.slice(oldAt, old), news.slice(newAt, fresh)];
    if (removed.length + added.length > 0) {
      const here = { before: olds[oldAt]?.start ?? before.length, after: news[newAt]?.start ?? after.length };
      changes.push(...pairUp(before, after, removed, added, mark).map((change) => placed(change, here)));
    }
    [oldAt, newAt] = [old + 1, fresh + 1];
  }
  return changes.filter(
    (change) =>
      withoutVolatile(change.before.text) !== withoutVolatile(change.after.text) && !isVolatile(before, after, change),
  );
}

/** Returns a change whose stretch without words stands where it was taken out or put in. */
function placed(change: TextChange, here: { before: number; after: number }): TextChange {
  const at = (span: TextSpan, start: number) => (span.start === span.end ? { ...span, start, end: start } : span);
  return { ...change, before: at(change.before, here.before), after: at(change.after, here.after) };
}

/** Returns whether the change is inside a moment or duration that the text masks. */
function isVolatile(before: string, after: string, change: TextChange): boolean {
  const without = (text: string, { start, end }: TextSpan) => `${text.slice(0, start)}\u0001${text.slice(end)}`;
  // What is left must be the same without the change only if masks cover it.
  return isMasked(before, change.before) && isMasked(after, change.after) && without(before, change.before) !== "";
}

/** Returns whether changing a stretch leaves the masked text as it is. */
function isMasked(text: string, { start, end }: TextSpan): boolean {
  if (start === end) return true;
  const other = text.slice(start, end).replace(/\d/g, (digit) => (digit === "1" ? "2" : "1"));
  return (
    other !== text.slice(start, end) &&
    withoutVolatile(text) === withoutVolatile(text.slice(0, start) + other + text.slice(end))
  );
}

/** Returns one change for each pair of numbers if both stretches have as many tokens, and else one for all. */
function pairUp(
  before: string,
  after: string,
  removed: TextSpan[],
  added: TextSpan[],
  mark: DecimalMark,
): TextChange[] {
  const isPairwise = removed.length === added.length && removed.some(({ text }) => /\d/.test(text));
  if (!isPairwise) return [changeOf(before, after, removed, added, mark)];
  return removed.map((token, index) => changeOf(before, after, [token], added.slice(index, index + 1), mark));
}

function changeOf(
  before: string,
  after: string,
  removed: TextSpan[],
  added: TextSpan[],
  mark: DecimalMark,
): TextChange {
  const [old, fresh] = [spanOf(before, removed), spanOf(after, added)];
  const [oldNumber, newNumber] = [readNumber(old.text, mark), readNumber(fresh.text, mark)];
  const change = oldNumber && newNumber && numberChange(oldNumber, newNumber);
  return {
    before: old,
    after: fresh,
    isNumber: oldNumber !== undefined && newNumber !== undefined,
    difference: change?.difference ?? null,
    percentage: change?.percentage ?? null,
  };
}

function spanOf(text: string, tokens: readonly TextSpan[]): TextSpan {
  const [start, end] = [tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0];
  return { text: text.slice(start, end), start, end };
}
