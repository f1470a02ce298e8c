import { unavailable } from "../domain/model/failure.ts";
import { DamagedObject } from "../domain/model/objects.ts";

/**
 * Objects are fetched and cached in pieces of this many bytes: most uploads are one piece, and a few bytes in the middle
 * of a large one cost no more than that.
 */
export const BLOCK_BYTES = 512 * 1024;
/** Pieces of one read that are fetched at once. */
const FETCHES_AT_ONCE = 8;

/** A piece of an object, and how many bytes the whole object has. */
export interface Block {
  bytes: Uint8Array<ArrayBuffer>;
  total: number;
}

/** Pieces of objects that are near at hand. It may forget any of them at any time. */
export interface BlockCache {
  get(key: string, position: number): Promise<Block | undefined>;
  add(key: string, position: number, block: Block): void;
  /** Resolves when none of them is to be had any more. */
  remove(keys: readonly string[]): Promise<void>;
}

export const noCache: BlockCache = {
  get: async () => undefined,
  add: () => undefined,
  remove: async () => undefined,
};

/** Fetches `[offset, offset + length)` of an object as far as there is any; undefined when there is no such object. */
export type FetchRange = (key: string, offset: number, length: number) => Promise<Block | undefined>;

const blockName = (key: string, position: number) => `${key}-${position}`;

/** The bytes that the piece at a position has in an object of this size. */
export const blockLength = (position: number, total: number) =>
  Math.max(0, Math.min(BLOCK_BYTES, total - position * BLOCK_BYTES));

/** Reads objects piece by piece, from the cache where it has them. */
export function createBlocks(fetchRange: FetchRange, cache: BlockCache) {
  /** Readers of one piece share one request. */
  const loading = new Map<string, Promise<Block | undefined>>();

  function load(key: string, position: number): Promise<Block | undefined> {
    const name = blockName(key, position);
    let block = loading.get(name);
    if (block === undefined) {
      block = loadAlone(key, position).finally(() => loading.delete(name));
      loading.set(name, block);
    }
    return block;
  }

  async function loadAlone(key: string, position: number): Promise<Block | undefined> {
    const cached = await cache.get(key, position);
    if (cached !== undefined) return cached;
    const block = await fetchRange(key, position * BLOCK_BYTES, BLOCK_BYTES);
    if (block === undefined) return undefined;
    if (block.bytes.length !== blockLength(position, block.total)) {
      throw unavailable("The store of the published files sent less than it announced. Try again in a moment.");
    }
    cache.add(key, position, block);
    return block;
  }

  /** A piece of an object of a certain size: pieces of another one may be left in the cache. */
  async function loadMore(key: string, position: number, total?: number): Promise<Block> {
    const block = await load(key, position);
    if (block !== undefined && (total === undefined || block.total === total)) return block;
    await cache.remove([key]);
    throw new DamagedObject(key);
  }

  /** The bytes of `[offset, offset + length)`, in memory of their own. */
  async function read(key: string, offset: number, length: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const first = positionOf(offset);
    const start = await load(key, first);
    if (start === undefined) return undefined;
    const end = Math.min(offset + length, start.total);
    const bytes = new Uint8Array(Math.max(0, end - offset));
    const copy = (block: Block, position: number) => {
      const part = partOf(block, position, offset, end);
      bytes.set(part, Math.max(0, position * BLOCK_BYTES - offset));
    };
    copy(start, first);
    for (let next = first + 1; next * BLOCK_BYTES < end; next += FETCHES_AT_ONCE) {
      const positions = Array.from({ length: FETCHES_AT_ONCE }, (_, index) => next + index);
      const wanted = positions.filter((position) => position * BLOCK_BYTES < end);
      await Promise.all(wanted.map(async (position) => copy(await loadMore(key, position, start.total), position)));
    }
    return bytes;
  }

  /** The same as a stream that holds two pieces at a time. Throws `DamagedObject` unless all of the range is there. */
  async function stream(key: string, offset: number, length: number) {
    let position = positionOf(offset);
    const start = await loadMore(key, position);
    const end = offset + length;
    if (end > start.total) throw new DamagedObject(key);
    if (end <= (position + 1) * BLOCK_BYTES) return new Blob([partOf(start, position, offset, end)]);
    let next = Promise.resolve(start);
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          const block = await next;
          const part = partOf(block, position, offset, end);
          position++;
          const isLast = position * BLOCK_BYTES >= end;
          if (!isLast) {
            next = loadMore(key, position, start.total);
            // Who reads on will hear of it; who does not need not.
            next.catch(() => undefined);
          }
          controller.enqueue(part);
          if (isLast) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Keeps what has just been put: it is compressed, and often read, right away. */
  function keep(key: string, content: Uint8Array<ArrayBuffer>): void {
    const total = content.length;
    for (let position = 0; position === 0 || position * BLOCK_BYTES < total; position++) {
      const start = position * BLOCK_BYTES;
      cache.add(key, position, { bytes: content.subarray(start, start + BLOCK_BYTES), total });
    }
  }

  return { read, stream, keep, forget: cache.remove };
}

const positionOf = (offset: number) => Math.floor(offset / BLOCK_BYTES);

/** What a piece has of `[offset, end)`. */
function partOf({ bytes }: Block, position: number, offset: number, end: number): Uint8Array<ArrayBuffer> {
  const start = position * BLOCK_BYTES;
  return bytes.subarray(Math.max(0, offset - start), Math.max(0, end - start));
}
