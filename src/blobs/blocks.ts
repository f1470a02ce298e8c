import pLimit from "p-limit";
import { unavailable } from "../domain/model/failure.ts";
import { DamagedObject } from "../domain/model/objects.ts";

/**
 * Bytes of the pieces in which objects are fetched and cached. Most uploads fit in one, and reading a few bytes of a large
 * one costs no more than a piece.
 */
export const BLOCK_BYTES = 512 * 1024;
/** Pieces of one read that are fetched in parallel. */
const FETCHES_AT_ONCE = 8;

/** A piece of an object, and the size of the whole object. */
export interface Block {
  bytes: Uint8Array<ArrayBuffer>;
  total: number;
}

/** Caches pieces of objects. It may forget any of them at any time. */
export interface BlockCache {
  get(key: string, position: number): Promise<Block | undefined>;
  add(key: string, position: number, block: Block): void;
  /** Resolves when the cache no longer has any piece of these objects. */
  remove(keys: readonly string[]): Promise<void>;
}

export const noCache: BlockCache = {
  get: async () => undefined,
  add: () => undefined,
  remove: async () => undefined,
};

/** Fetches the existing part of `[offset, offset + length)`; undefined if the object is missing. */
export type FetchRange = (key: string, offset: number, length: number) => Promise<Block | undefined>;

const blockName = (key: string, position: number) => `${key}-${position}`;

/** Returns the size of the piece at a position in an object of this size. */
export const blockLength = (position: number, total: number) =>
  Math.max(0, Math.min(BLOCK_BYTES, total - position * BLOCK_BYTES));

/** Reads objects piece by piece, through the cache. */
export function createBlocks(fetchRange: FetchRange, cache: BlockCache) {
  /** Requests under way, which all readers of a piece share. */
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

  /** Loads a piece. Throws `DamagedObject` if it belongs to an object of another size, which the cache may still hold. */
  async function loadMore(key: string, position: number, total?: number): Promise<Block> {
    const block = await load(key, position);
    if (block !== undefined && (total === undefined || block.total === total)) return block;
    await cache.remove([key]);
    throw new DamagedObject(key);
  }

  /** Returns a copy of the bytes of `[offset, offset + length)`. */
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
    const others = Array.from({ length: Math.max(0, positionOf(end - 1) - first) }, (_, index) => first + 1 + index);
    const limit = pLimit(FETCHES_AT_ONCE);
    try {
      await limit.map(others, async (position) => copy(await loadMore(key, position, start.total), position));
    } finally {
      // After a failure the rest isn't needed.
      limit.clearQueue();
    }
    return bytes;
  }

  /** Streams a range, with two pieces in memory at a time. Throws `DamagedObject` unless the whole range exists. */
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
            // The next pull reports the failure, if there is one.
            next.catch(() => undefined);
          }
          controller.enqueue(part);
          if (isLast) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  /** Caches a new object, which is compressed and often read right away. */
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

/** Returns the part of `[offset, end)` that is in a piece. */
function partOf({ bytes }: Block, position: number, offset: number, end: number): Uint8Array<ArrayBuffer> {
  const start = position * BLOCK_BYTES;
  return bytes.subarray(Math.max(0, offset - start), Math.max(0, end - start));
}
