import { LRUCache } from "lru-cache";
import type { Blobs, Streamable } from "../../domain/model/blobs.ts";
import { digestOf } from "../../domain/model/files.ts";
import { codeOfKey, compressedKey, DamagedObject } from "../../domain/model/objects.ts";
import type { Damage } from "../../domain/reports/damage.ts";
import type { Encoding } from "../http/encodings.ts";
import { readCompressedIndex } from "./compressed.ts";
import type { Compressor } from "./compressor.ts";
import { compressedForms, type Form, type ServedFile, withStandIns } from "./forms.ts";
import { makeStandIn } from "./made-stand-ins.ts";
import type { CachedVersion } from "./version-cache.ts";

/** Bytes of all files kept in memory. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Larger files are streamed from the store each time. */
const LARGEST_CACHED_BYTES = 2 * 1024 * 1024;

/** Bun sends local files from this size on straight from the disk's cache (`sendfile`). */
const SENDFILE_BYTES = 1024 * 1024;
/** Marks a local file whose bytes were verified when it was first read. */
const VERIFIED = new Blob();

interface Dependencies {
  blobs: Blobs;
  compressor: Compressor;
  damage: Pick<Damage, "failureFor" | "recovered">;
}

/** Creates the source of served bytes: hot files come from memory, others from the blob store. */
export function createFileBytes({ blobs, compressor, damage }: Dependencies) {
  /** As blobs, because responses share their bytes instead of copying them. */
  const hot = new LRUCache<string, Blob>({ maxSize: CACHE_BYTES, sizeCalculation: (blob) => blob.size + 100 });

  /** Looks for files in memory. */
  const looks = { hits: 0, misses: 0 };

  /** Returns the smallest form of a file in an accepted encoding; undefined if `learnForms` has to run first. */
  function chooseForm(file: ServedFile, accepted: readonly Encoding[]): Form | undefined {
    if (accepted.length === 0) return file.original;
    if (file.compressed === undefined) return undefined;
    const isAccepted = ({ encoding }: Form) => encoding !== undefined && accepted.includes(encoding);
    return file.compressed.find(isAccepted) ?? file.original;
  }

  /** Looks up the compressed forms of a version, and queues it for compression if it has none. */
  async function learnForms(version: CachedVersion): Promise<void> {
    const key = compressedKey(version.code);
    try {
      const index = await readCompressedIndex(key, (offset, length) => blobs.read(key, offset, length));
      for (const file of withStandIns(version.files.values())) {
        file.compressed = compressedForms(version.code, file.entry, index);
      }
      if (index === undefined) compressor.enqueue(version.code);
    } catch (error) {
      if (!(error instanceof DamagedObject)) throw error;
      await dropForms(version);
    }
  }

  /** Drops a version's damaged compressed forms and queues it for compression. */
  async function dropForms(version: CachedVersion): Promise<void> {
    for (const file of withStandIns(version.files.values())) file.compressed = [];
    // A store may refuse to replace an object. If deleting fails, the next reader tries again.
    await blobs.delete([compressedKey(version.code)]).catch(() => undefined);
    compressor.enqueue(version.code);
  }

  /** Returns the bytes if they are in memory or in a local file. */
  function peek(form: Form): Blob | undefined {
    if (form.make === undefined && form.size > LARGEST_CACHED_BYTES) return sliceLocal(form);
    const blob = hot.get(form.name);
    if (blob === undefined) looks.misses++;
    else looks.hits++;
    return blob === VERIFIED ? sliceLocal(form) : blob;
  }

  const sliceLocal = ({ key, offset, size }: Form) => blobs.sliceLocal?.(key, offset, size);

  /**
   * Returns the bytes and keeps them in memory, or a stream for large files. Throws `DamagedObject` if a compressed form
   * is missing or damaged, and `Damaged` if a file is.
   */
  const load = (form: Form): Promise<Streamable> =>
    explaining<Streamable>(form, () =>
      form.make === undefined && form.size > LARGEST_CACHED_BYTES ? stream(form, 0, form.size) : loadWhole(form),
    );

  /** Returns a part of an uncompressed file. Throws `Damaged` if the file is too short. */
  async function loadRange(form: Form, start: number, end: number): Promise<Streamable> {
    const blob = peek(form) ?? (form.make && (await loadWhole(form)));
    return blob ? blob.slice(start, end) : explaining(form, () => stream(form, start, end));
  }

  /** Makes the page that browsers get instead of one, unless that was stored at the publish. Throws `Damaged`. */
  function learnStandIn(code: string, file: ServedFile): Promise<void> {
    const { entry, original } = file;
    file.making ??= makeStandIn(code, entry, () => explaining(original, () => readPublished(original)))
      .then(({ file: standIn, contents }) => {
        file.standIn = standIn;
        for (const [form, bytes] of contents) hot.set(form.name, new Blob([bytes]));
      })
      .finally(() => {
        file.making = undefined;
      });
    return file.making;
  }

  async function loadWhole(form: Form): Promise<Blob> {
    if (form.make !== undefined) {
      const made = new Blob([await form.make()]);
      hot.set(form.name, made);
      return made;
    }
    const blob = new Blob([await readPublished(form)]);
    const isLocal = form.size >= SENDFILE_BYTES && blobs.sliceLocal !== undefined;
    hot.set(form.name, isLocal ? VERIFIED : blob);
    return blob;
  }

  /** Returns the bytes of a stored form. Throws `DamagedObject`. */
  async function readPublished(form: Form): Promise<Uint8Array> {
    const bytes = (await readWhole(form)) ?? (await blobs.forget([form.key]).then(() => readWhole(form)));
    if (bytes === undefined) throw new DamagedObject(form.key);
    if (form.encoding === undefined) damage.recovered(codeOfKey(form.key), form.offset);
    return bytes;
  }

  /** Returns the bytes; undefined if they are missing or damaged. */
  async function readWhole({ key, offset, size, digest, checksum }: Form): Promise<Uint8Array | undefined> {
    const bytes = await blobs.read(key, offset, size);
    if (bytes?.length !== size) return undefined;
    if (digest !== undefined && digestOf(bytes) !== digest) return undefined;
    if (checksum !== undefined && Bun.hash.crc32(bytes) !== checksum) return undefined;
    return bytes;
  }

  /** Returns a stream of a part of a form, which breaks off where damage is found. */
  async function stream(form: Form, start: number, end: number): Promise<Streamable> {
    const streamed = await blobs.slice(form.key, form.offset + start, end - start);
    if (streamed instanceof Blob || form.encoding !== undefined) return streamed;
    const reader = streamed.getReader();
    return new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          const { done, value } = await explaining(form, () => reader.read());
          if (done) controller.close();
          else controller.enqueue(value);
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  async function explaining<Result>({ key, encoding, offset }: Form, act: () => Promise<Result>): Promise<Result> {
    try {
      return await act();
    } catch (error) {
      throw error instanceof DamagedObject && encoding === undefined
        ? await damage.failureFor(codeOfKey(key), offset)
        : error;
    }
  }

  return { chooseForm, learnForms, learnStandIn, dropForms, peek, load, loadRange, looks };
}

export type FileBytes = ReturnType<typeof createFileBytes>;
