interface Named {
  readonly name: string;
}

const CASE_BIT = 0x20;
const MAX_LENGTH = 15;

/**
 * Looks up names that lie inside a longer text, without cutting them out: nearly all tags and attributes of a page are of no
 * interest, and an allocation for each would cost more than the rest of the scan.
 */
export class NameTable<Entry extends Named> {
  private readonly slots = new Uint8Array(1 << 14);
  private readonly entries: readonly Entry[];

  /** Two names with the same slot (length, first and last letter) are refused. */
  constructor(entries: readonly Entry[]) {
    this.entries = entries;
    for (const [index, { name }] of entries.entries()) {
      const slot = slotOf(name, 0, name.length);
      if (name.length > MAX_LENGTH || this.slots[slot] !== 0) throw new Error(`No free slot for the name ${name}`);
      this.slots[slot] = index + 1;
    }
  }

  /** The entry whose name stands at `start`–`end` of `text`, ASCII case ignored. */
  find(text: string, start: number, end: number): Entry | undefined {
    if (end - start > MAX_LENGTH) return undefined;
    const index = this.slots[slotOf(text, start, end)];
    if (index === undefined || index === 0) return undefined;
    const entry = this.entries[index - 1];
    return entry !== undefined && startsWithName(text, start, entry.name) ? entry : undefined;
  }
}

/** Whether `name`, which is in lower case, stands at `start` of `text`, ASCII case ignored. */
export function startsWithName(text: string, start: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if ((text.charCodeAt(start + i) | CASE_BIT) !== name.charCodeAt(i)) return false;
  }
  return true;
}

function slotOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) & 31;
  const last = text.charCodeAt(end - 1) & 31;
  return first | (last << 5) | ((end - start) << 10);
}
