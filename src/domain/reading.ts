import { authorizeReadVersion } from "./access.ts";
import { notFound } from "./failure.ts";
import type { FileEntry } from "./files.ts";
import type { Caller } from "./model.ts";
import { CODE_PATTERN } from "./names.ts";
import type { Blobs, Store, Streamable } from "./ports.ts";

/** Larger files are streamed. */
const LARGEST_READ_BYTES = 1024 * 1024;

const noSuchFile = () => notFound("There is no such report or file.");

/** Reading a report back. */
export function createReading({ store, blobs }: { store: Pick<Store, "items" | "serve">; blobs: Blobs }) {
  /** Throws `NotFound` unless the code is a report of the caller's own that they may read. */
  async function authorize(caller: Caller, code: string): Promise<void> {
    const found = CODE_PATTERN.test(code) ? await store.items.findVersion(code) : undefined;
    if (authorizeReadVersion(caller, found) === undefined) throw notFound("There is no such report.");
  }

  /** One file of such a report, in memory or as something to stream. Throws `NotFound`. */
  async function open(caller: Caller, code: string, path: string): Promise<Uint8Array<ArrayBuffer> | Streamable> {
    await authorize(caller, code);
    const served = await store.serve.findServed(code);
    const file = served?.files.find((candidate) => candidate.path === path);
    if (file === undefined) throw noSuchFile();
    if (file.size <= LARGEST_READ_BYTES) return read(code, file, file.size);
    // A deleted report's object is gone, which the stream would tell when it is too late.
    await read(code, file, 1);
    return blobs.slice(code, file.offset, file.size);
  }

  async function read(code: string, { offset }: FileEntry, length: number): Promise<Uint8Array<ArrayBuffer>> {
    if (length === 0) return new Uint8Array();
    const bytes = await blobs.read(code, offset, length);
    if (bytes?.length !== length) throw noSuchFile();
    return new Uint8Array(bytes);
  }

  return { authorize, open };
}

export type Reading = ReturnType<typeof createReading>;
