/** The likeness above which one word counts as a typo of the other. */
const LIKENESS = 0.5;

/** Returns the known word that a mistyped one most likely stands for; undefined if none is similar. */
export function findClosest(written: string, words: readonly string[]): string | undefined {
  const slips = words.map((word) => ({ word, likeness: likenessOf(written, word) }));
  const [best] = slips.toSorted((one, other) => other.likeness - one.likeness);
  return best !== undefined && best.likeness >= LIKENESS ? best.word : undefined;
}

/** Returns how alike two words are, from 0 (nothing in common) to 1 (equal). */
function likenessOf(one: string, other: string): number {
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : 1 - countEdits(one, other) / longer;
}

/** Returns how many characters to insert, delete, replace or swap with the next one (Damerau–Levenshtein). */
export function countEdits(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const edits = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        ...(isSwap ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...edits));
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
