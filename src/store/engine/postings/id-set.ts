/** The number of ids in one block of the index. An id's place in its block takes 16 bits. */
export const BLOCK_SIZE = 65_536;
/** The block of the lists that name whole ids, for terms that few items have. */
export const WIDE_BLOCK = -1;
/** The number of ids in a list of whole ids. Further items with the term are listed by block. */
export const WIDE_IDS = 4_096;

const WORDS = BLOCK_SIZE / 32;

export const blockOf = (id: number): number => Math.floor(id / BLOCK_SIZE);

/** A set of item ids, as one bitmap for each block. Loops use indexes: iterators of typed arrays take many times as long. */
export class IdSet {
  readonly #blocks = new Map<number, Uint32Array>();

  #bits(block: number): Uint32Array {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const bits = new Uint32Array(WORDS);
    this.#blocks.set(block, bits);
    return bits;
  }

  add(id: number): void {
    addPlace(this.#bits(blockOf(id)), id % BLOCK_SIZE);
  }

  /** Adds the ids of a list as the index stores it. */
  addList(block: number, list: Uint8Array): void {
    if (block === WIDE_BLOCK) {
      this.#addWide(wideIds(list));
      return;
    }
    const bits = this.#bits(block);
    const places = placesIn(list);
    for (let position = 0; position < places.length; position++) addPlace(bits, places[position] ?? 0);
  }

  #addWide(ids: Uint32Array): void {
    let block = WIDE_BLOCK;
    let bits: Uint32Array = new Uint32Array();
    for (let position = 0; position < ids.length; position++) {
      const id = ids[position] ?? 0;
      const own = blockOf(id);
      // Most ids of a list are near each other.
      if (own !== block) {
        block = own;
        bits = this.#bits(own);
      }
      addPlace(bits, id % BLOCK_SIZE);
    }
  }

  /** Removes the ids that another set doesn't have. */
  keepOnly(other: IdSet): void {
    for (const [block, bits] of this.#blocks) {
      const others = other.#blocks.get(block);
      if (others === undefined) this.#blocks.delete(block);
      else for (let word = 0; word < WORDS; word++) bits[word] = (bits[word] ?? 0) & (others[word] ?? 0);
    }
  }

  has(id: number): boolean {
    const place = id % BLOCK_SIZE;
    return (((this.#blocks.get(blockOf(id))?.[place >>> 5] ?? 0) >>> (place & 31)) & 1) === 1;
  }

  count(): number {
    let count = 0;
    for (const bits of this.#blocks.values()) {
      for (let word = 0; word < WORDS; word++) count += countBits(bits[word] ?? 0);
    }
    return count;
  }

  /** Returns all ids in ascending order. */
  toArray(): number[] {
    const ids: number[] = [];
    for (const block of [...this.#blocks.keys()].sort((one, other) => one - other)) {
      const bits = this.#bits(block);
      for (let word = 0; word < WORDS; word++) {
        for (let left = bits[word] ?? 0; left !== 0; left &= left - 1) {
          ids.push(block * BLOCK_SIZE + word * 32 + (31 - Math.clz32(left & -left)));
        }
      }
    }
    return ids;
  }
}

function addPlace(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Returns the bytes where typed arrays can begin. The processors that Bun supports are all little-endian. */
const aligned = (list: Uint8Array): Uint8Array => (list.byteOffset % 4 === 0 ? list : list.slice());

/** Returns the places in a block's list, in any order and possibly several times. */
export function placesIn(list: Uint8Array): Uint16Array {
  const { buffer, byteOffset, byteLength } = aligned(list);
  return new Uint16Array(buffer, byteOffset, byteLength / 2);
}

/** Returns the ids in a list of whole ids. */
function wideIds(list: Uint8Array): Uint32Array {
  const { buffer, byteOffset, byteLength } = aligned(list);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}
