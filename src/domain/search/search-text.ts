/** Longest text that is searched in one field, in code points; titles end long before. */
const SORT_CHARACTERS = 120;
const GRAM = 3;
/** Nearly every text has any one of these, codes being texts too. */
const PLAIN = /^[0-9a-z]+$/;

/**
 * Text as it is compared: without case, in whichever script, and without differences that only encodings make. By way
 * of upper case, which knows that `ß` is `SS`; of `ẞ` only lower case knows that it is `ß`.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .replaceAll("i\u0307", "i")
    .normalize("NFKC");
}

/** Text as it is sorted: folded, and a letter with a mark stands beside the one without. */
export function sortText(text: string): string {
  const bare = foldText(text)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");
  return [...bare].slice(0, SORT_CHARACTERS).join("");
}

/** The words of a query, each once, folded. */
export const wordsOf = (query: string): string[] => [...new Set(foldText(query).split(/\s+/u))].filter(Boolean);

/** What an item is found by: all of its own text. */
export const searchText = (name: string | null, title: string): string =>
  foldText(name === null ? title : `${name}\n${title}`);

/** Every piece by which folded text can be looked up: three letters, two, or one where that says something. */
export function gramsOf(text: string): string[] {
  const grams = new Set<string>();
  for (const word of text.split(/\s+/u)) addGrams(grams, [...word]);
  return [...grams];
}

function addGrams(grams: Set<string>, letters: readonly string[]): void {
  for (let start = 0; start < letters.length; start++) {
    const one = letters[start] ?? "";
    const two = one + (letters[start + 1] ?? "");
    if (start + GRAM <= letters.length) grams.add(two + letters[start + 2]);
    if (!PLAIN.test(one)) grams.add(one);
    if (start + 1 < letters.length) grams.add(two);
  }
}

/** Those pieces that all text with this folded word in it has; none where an index would not help. */
export function gramsOfWord(word: string): string[] {
  const letters = [...word];
  if (letters.length === 1 && PLAIN.test(word)) return [];
  if (letters.length < GRAM) return [word];
  const grams = new Set<string>();
  for (let start = 0; start + GRAM <= letters.length; start++) grams.add(letters.slice(start, start + GRAM).join(""));
  return [...grams];
}

/** Whether a folded word can be part of a report's code. */
export const mayBeInCode = (word: string): boolean => word.length <= 16 && PLAIN.test(word);

/**
 * A piece as the index of a workspace has it: a number of 31 bits (FNV-1a). Two pieces may share one, so what is found
 * by it has to be looked at again.
 */
export function gramKey(workspaceId: string, gram: string): number {
  let hash = 0x811c9dc5;
  const text = `${workspaceId} ${gram}`;
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 1;
}
