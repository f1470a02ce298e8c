import { LRUCache } from "lru-cache";
import { compressedKey } from "../../domain/objects.ts";
import type { Blobs, Streamable } from "../../domain/ports.ts";
import { readCompressedIndex } from "./compressed.ts";
import type { Compressor } from "./compressor.ts";
import type { Encoding } from "./encodings.ts";
import { compressedForms, type Form, type ServedFile, withStandIns } from "./forms.ts";
import type { CachedVersion } from "./version-cache.ts";

/** Bytes of all files kept in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Larger ones are streamed from the store each time. */
const LARGEST_CACHED_BYTES = 2 * 1024 * 1024;

/** The bytes of served files: hot ones from memory, others from the blob store. */
export function createFileBytes({ blobs, compressor }: { blobs: Blobs; compressor: Compressor }) {
  const hot = new LRUCache<string, Uint8Array>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => bytes.length + 100,
  });

  /** The smallest form of a file among the accepted encodings; undefined when the forms have to be learnt first. */
  function chooseForm(file: ServedFile, accepted: readonly Encoding[]): Form | undefined {
    if (accepted.length === 0) return file.original;
    if (file.compressed === undefined) return undefined;
    const isAccepted = ({ encoding }: Form) => encoding !== undefined && accepted.includes(encoding);
    return file.compressed.find(isAccepted) ?? file.original;
  }

  /** Learns which compressed forms a version has; makes sure that it will have them. */
  async function learnForms(version: CachedVersion): Promise<void> {
    const key = compressedKey(version.code);
    const index = await readCompressedIndex((offset, length) => blobs.read(key, offset, length));
    for (const file of withStandIns(version.files.values())) {
      file.compressed = compressedForms(version.code, file.entry, index);
    }
    if (index === undefined) compressor.enqueue(version.code);
  }

  /** The bytes, if they are in memory. */
  const peek = (form: Form): Uint8Array | undefined => hot.get(form.name);

  /** The bytes: in memory from now on, or as something to stream when they are many. */
  async function load(form: Form): Promise<Uint8Array | Streamable> {
    if (form.size > LARGEST_CACHED_BYTES) return blobs.slice(form.key, form.offset, form.size);
    const bytes = await blobs.read(form.key, form.offset, form.size);
    if (bytes?.length !== form.size) throw new Error(`The object ${form.key} is missing or cut short.`);
    hot.set(form.name, bytes);
    return bytes;
  }

  /** A part of an uncompressed file. */
  async function loadRange(form: Form, start: number, end: number): Promise<Uint8Array | Streamable> {
    const bytes = peek(form);
    return bytes ? bytes.subarray(start, end) : blobs.slice(form.key, form.offset + start, end - start);
  }

  return { chooseForm, learnForms, peek, load, loadRange };
}

export type FileBytes = ReturnType<typeof createFileBytes>;
