const CASE_BIT = 0x20;
const LETTER_BITS = 5;
const LETTER = 31;
const MAX_LENGTH = 15;
const NONE: string[] = [];

/**
 * Finds names in a longer text without cutting them out. Most names in a page do not matter, and allocating a string for
 * each of them takes longer than tokenizing the page.
 */
export class NameTable {
  /** Names by length and first letter. */
  private readonly names = Array.from({ length: (MAX_LENGTH + 1) << LETTER_BITS }, (): string[] => []);
  private readonly prefix: string | undefined;

  /** All names are in lower case. The table also has every name with the prefix. */
  constructor(names: Iterable<string>, prefix?: string) {
    this.prefix = prefix;
    for (const name of names) this.candidates(name, 0, name.length).push(name);
  }

  /** Returns the name between two positions if the table has it, ignoring ASCII case. */
  find(text: string, start: number, end: number): string | undefined {
    const candidates = this.candidates(text, start, end);
    for (let i = 0; i < candidates.length; i++) {
      const name = candidates[i];
      if (name !== undefined && startsWith(text, start, name)) return name;
    }
    if (this.prefix === undefined || !startsWith(text, start, this.prefix)) return undefined;
    return text.slice(start, end).toLowerCase();
  }

  private candidates(text: string, start: number, end: number): string[] {
    const length = end - start;
    if (length > MAX_LENGTH) return NONE;
    return this.names[(length << LETTER_BITS) | (text.charCodeAt(start) & LETTER)] ?? NONE;
  }
}

function startsWith(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(start + i) | CASE_BIT) !== name.charCodeAt(i)) return false;
  }
  return true;
}
