import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { type ObserveCall, observed } from "../observability/metrics/call-meter.ts";
import type { BlockCache } from "./blocks.ts";

/** Returns objects whose reads and writes are passed on to an observer. */
export function observeBlobs(blobs: MarkedBlobs, observe: ObserveCall): MarkedBlobs {
  const watch = <Result>(kind: string, call: () => Promise<Result>) =>
    observed(observe, { name: `blobs.${kind}`, kind }, call);
  return {
    ...blobs,
    put: (key, content) => watch("put", () => blobs.put(key, content)),
    add: (key, content) => watch("put", () => blobs.add(key, content)),
    read: (key, offset, length) => watch("read", () => blobs.read(key, offset, length)),
    readAll: (key) => watch("read_all", () => blobs.readAll(key)),
    slice: (key, offset, length) => watch("slice", () => blobs.slice(key, offset, length)),
    delete: (keys) => watch("delete", () => blobs.delete(keys)),
  };
}

/** Returns a cache that tells of each look whether it found something. */
export const observeCache = (cache: BlockCache, note: (isHit: boolean) => void): BlockCache => ({
  ...cache,
  async get(key, position) {
    const block = await cache.get(key, position);
    note(block !== undefined);
    return block;
  },
});
