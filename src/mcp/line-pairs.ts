/** Longer lines are cut, because agents can't use them. */
const MAX_LINE_LENGTH = 500;
/** Characters to show before the first difference of two long lines. */
const LEAD = 100;

const INVISIBLE = /^[\s\p{C}\p{M}]*$/u;
const LATIN = /\p{Script=Latin}/u;
const LATIN_LIKE = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns a line that has no counterpart. */
export const cut = (line: string): string => window(line, 0);

/** Returns two different lines so that they look different: cut around the change, with invisible characters escaped. */
export function showPair(before: string, after: string): [string, string] {
  const { head, tail } = common(before, after);
  const [old, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  if (lookAlike(old, fresh)) {
    const escaped = (line: string, middle: string) =>
      window(line.slice(0, head) + escapeAll(middle) + line.slice(line.length - tail), head);
    return [escaped(before, old), escaped(after, fresh)];
  }
  return [window(before, head), window(after, head)];
}

function common(before: string, after: string): { head: number; tail: number } {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  if (isPairSplit(before, head)) head--;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (tail > 0 && isPairSplit(before, before.length - tail)) tail--;
  return { head, tail };
}

const isPairSplit = (text: string, index: number) =>
  /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));

const lookAlike = (a: string, b: string): boolean =>
  (INVISIBLE.test(a) && INVISIBLE.test(b)) ||
  a.normalize("NFKC") === b.normalize("NFKC") ||
  (LATIN_LIKE.test(a) && LATIN.test(b)) ||
  (LATIN.test(a) && LATIN_LIKE.test(b));

const escapeAll = (text: string): string =>
  text.replace(/[^!-~]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** Returns the part of a long line around an index, and how much is left out. */
function window(line: string, around: number): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const wanted = Math.max(0, Math.min(around - LEAD, line.length - MAX_LINE_LENGTH));
  const start = isPairSplit(line, wanted) ? wanted - 1 : wanted;
  const end = isPairSplit(line, start + MAX_LINE_LENGTH) ? start + MAX_LINE_LENGTH - 1 : start + MAX_LINE_LENGTH;
  const before = start === 0 ? "" : `(${start} characters) …`;
  const after = end >= line.length ? "" : `… (${line.length - end} more characters)`;
  return before + line.slice(start, end) + after;
}
