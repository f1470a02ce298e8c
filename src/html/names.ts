const CASE_BIT = 0x20;

/**
 * Finds names in a longer text without cutting them out. Most names in a page do not matter, and allocating a string for
 * each of them takes longer than tokenizing the page.
 */
export class NameTable {
  /** Names by length and first letter. */
  private readonly names: (readonly string[] | undefined)[] = [];
  private readonly prefix: string | undefined;

  /** All names are in lower case. The table also has every name with the prefix. */
  constructor(names: Iterable<string>, prefix?: string) {
    this.prefix = prefix;
    for (const name of names) {
      const key = keyOf(name, 0, name.length);
      this.names[key] = [...(this.names[key] ?? []), name];
    }
  }

  /** Returns the name between two positions if the table has it, ignoring ASCII case. */
  find(text: string, start: number, end: number): string | undefined {
    const candidates = this.names[keyOf(text, start, end)];
    if (candidates !== undefined) for (const name of candidates) if (startsWith(text, start, name)) return name;
    if (this.prefix === undefined || !startsWith(text, start, this.prefix)) return undefined;
    return text.slice(start, end).toLowerCase();
  }
}

function startsWith(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(start + i) | CASE_BIT) !== name.charCodeAt(i)) return false;
  }
  return true;
}

const keyOf = (text: string, start: number, end: number): number =>
  ((end - start) << 5) | (text.charCodeAt(start) & 31);
