/** Characters (code points) that sorting compares. */
const SORT_CHARACTERS = 120;
const GRAM = 3;
/** Matches text whose characters are too common to index one by one. */
const PLAIN = /^[0-9a-z]+$/;

/**
 * Returns text in the form that search compares: without case in any script, and with equal characters encoded equally.
 * Lowercase first turns `ẞ` into `ß`, which uppercase then turns into `SS`.
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

/** Returns text in the form that sorting compares: folded, and without diacritics. */
export function sortText(text: string): string {
  const bare = foldText(text)
    .normalize("NFD")
    .replace(/\p{M}+/gu, "");
  return [...bare].slice(0, SORT_CHARACTERS).join("");
}

/** Returns the distinct words of a query, folded. */
export const wordsOf = (query: string): string[] => [...new Set(foldText(query).split(/\s+/u))].filter(Boolean);

/** Returns the folded text by which search finds a report. */
export const searchText = (name: string | null, title: string): string =>
  foldText(name === null ? title : `${name}\n${title}`);

/** Returns all n-grams to index for folded text: three characters, two, or one if it isn't too common. */
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

/** Returns the n-grams that every text with this folded word has; none if the index can't narrow the search. */
export function gramsOfWord(word: string): string[] {
  const letters = [...word];
  if (letters.length === 1 && PLAIN.test(word)) return [];
  if (letters.length < GRAM) return [word];
  const grams = new Set<string>();
  for (let start = 0; start + GRAM <= letters.length; start++) grams.add(letters.slice(start, start + GRAM).join(""));
  return [...grams];
}

/** Returns whether a folded word can be part of a code. */
export const mayBeInCode = (word: string): boolean => word.length <= 16 && PLAIN.test(word);

/**
 * Returns the key of an n-gram in a workspace's index: a 31-bit FNV-1a hash. N-grams can share a key, so callers have
 * to compare the text of what they find.
 */
export function gramKey(workspaceId: string, gram: string): number {
  let hash = 0x811c9dc5;
  const text = `${workspaceId} ${gram}`;
  for (let place = 0; place < text.length; place++) {
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
  }
  return hash >>> 1;
}
