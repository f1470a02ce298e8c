import { LRUCache } from "lru-cache";
import { compressedKey } from "../../domain/objects.ts";
import type { Blobs } from "../../domain/ports.ts";
import { readCompressedIndex } from "./compressed.ts";
import type { Compressor } from "./compressor.ts";
import { ENCODINGS, type Encoding } from "./encodings.ts";
import { isCompressible } from "./media-types.ts";
import type { CachedVersion, ServedFile } from "./version-cache.ts";

/** Bytes of all files kept in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Larger ones are streamed from the store each time. */
const LARGEST_CACHED_BYTES = 2 * 1024 * 1024;

/** Which bytes answer a request: a form of a file, where it lies, and how many bytes it has. */
export interface Form {
  encoding: Encoding | undefined;
  key: string;
  offset: number;
  size: number;
}

/** The bytes of served files: hot ones from memory, others from the blob store. */
export function createFileBytes({ blobs, compressor }: { blobs: Blobs; compressor: Compressor }) {
  const hot = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length + 100,
  });

  const original = (version: CachedVersion, file: ServedFile): Form => ({
    encoding: undefined,
    key: version.code,
    offset: file.entry.offset,
    size: file.entry.size,
  });

  /** The smallest form of a file among the accepted encodings, as far as that is known without waiting. */
  function chooseForm(version: CachedVersion, file: ServedFile, accepted: readonly Encoding[]): Form | undefined {
    if (accepted.length === 0 || !isCompressible(file.entry.path)) return original(version, file);
    if (version.compressed === undefined) return undefined;
    let best = original(version, file);
    for (const encoding of ENCODINGS) {
      const place = version.compressed?.[file.entry.path]?.[encoding];
      if (place === undefined || !accepted.includes(encoding) || place[1] >= best.size) continue;
      best = { encoding, key: compressedKey(version.code), offset: place[0], size: place[1] };
    }
    return best;
  }

  /** Learns which compressed forms a version has; makes sure that it will have them. */
  async function learnForms(version: CachedVersion): Promise<void> {
    const key = compressedKey(version.code);
    const index = await readCompressedIndex((offset, length) => blobs.read(key, offset, length));
    version.compressed = index ?? null;
    if (index === undefined) compressor.enqueue(version.code);
  }

  // An empty file lies where the next one begins.
  const nameOf = (form: Form) => `${form.key}:${form.offset}:${form.size}`;

  /** The bytes, if they are in memory. */
  const peek = (form: Form): Uint8Array | undefined => hot.get(nameOf(form));

  /** The bytes: in memory from now on, or as something to stream when they are many. */
  async function load(form: Form): Promise<Uint8Array | Blob> {
    if (form.size > LARGEST_CACHED_BYTES) return blobs.slice(form.key, form.offset, form.size);
    const bytes = await blobs.read(form.key, form.offset, form.size);
    if (bytes?.length !== form.size) throw new Error(`The object ${form.key} is missing or cut short.`);
    hot.set(nameOf(form), bytes);
    return bytes;
  }

  /** A part of an uncompressed file. */
  async function loadRange(form: Form, start: number, end: number): Promise<Uint8Array | Blob> {
    const bytes = peek(form);
    return bytes ? bytes.subarray(start, end) : blobs.slice(form.key, form.offset + start, end - start);
  }

  return { original, chooseForm, learnForms, peek, load, loadRange };
}

export type FileBytes = ReturnType<typeof createFileBytes>;
