/** Returns how alike two short texts are, from 0 to 1, by the changes that turn one into the other. Takes quadratic time. */
export function similarity(one: string, other: string): number {
  if (one === other) return 1;
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : 1 - editDistance(one, other) / longer;
}

function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const replaced = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** Returns the text with its numbers made equal: new data changes them, and the words around them stay. */
export const withoutNumbers = (text: string): string => text.replace(/\d[\d.,\u00a0]*/g, "0");

/** Returns whether a text is a number, with a sign and units. */
export const isNumeric = (text: string): boolean => /^[^\p{L}\n]*\d[^\p{L}\n]*(?:\p{L}{1,3})?$/u.test(text.trim());

/** Returns how alike the ends of two texts are, numbers counting half. */
export const contextSimilarity = (one: string, other: string): number =>
  one === other ? 1 : (similarity(one, other) + similarity(withoutNumbers(one), withoutNumbers(other))) / 2;

/** Returns the share of headings that two paths have in common, from the innermost out. */
export function headingSimilarity(one: readonly string[], other: readonly string[]): number {
  const longer = Math.max(one.length, other.length);
  if (longer === 0) return 1;
  const [mine, theirs] = [one, other].map((path) => path.map((heading) => withoutNumbers(heading.toLowerCase())));
  if (mine?.at(-1) === theirs?.at(-1)) return 0.75 + (0.25 * shared(mine, theirs)) / longer;
  return (0.5 * shared(mine, theirs)) / longer;
}

const shared = (one: readonly string[] = [], other: readonly string[] = []): number =>
  one.filter((heading) => other.includes(heading)).length;
