import type { FileEntry } from "../../domain/files.ts";
import { compressedKey } from "../../domain/objects.ts";
import { isCompressible } from "../media-types.ts";
import type { CompressedIndex } from "./compressed.ts";
import { ENCODINGS, type Encoding } from "./encodings.ts";
import { etagOf } from "./headers.ts";

/** One form of a file, as uploaded or compressed: where its bytes lie, and headers that have been built once. */
export interface Form {
  encoding: Encoding | undefined;
  key: string;
  offset: number;
  size: number;
  etag: string;
  /** Under which its bytes are kept in memory. */
  name: string;
  headers: Headers | undefined;
  /** The same for readers with tickets. */
  ticketHeaders: Headers | undefined;
}

/** A file as it is served. */
export interface ServedFile {
  entry: FileEntry;
  isCompressible: boolean;
  original: Form;
  /** Those smaller than the original, smallest first; undefined until somebody has asked for one. */
  compressed: readonly Form[] | undefined;
}

export function toServedFile(code: string, entry: FileEntry): ServedFile {
  return {
    entry,
    isCompressible: isCompressible(entry.path),
    original: toForm(entry, undefined, code, entry.offset, entry.size),
    compressed: undefined,
  };
}

/** The compressed forms of a file by the index of its version's object of them. */
export function compressedForms(code: string, entry: FileEntry, index: CompressedIndex | undefined): Form[] {
  const places = index !== undefined && Object.hasOwn(index, entry.path) ? index[entry.path] : undefined;
  if (places === undefined) return [];
  return ENCODINGS.flatMap((encoding) => {
    const place = places[encoding];
    return place === undefined ? [] : [toForm(entry, encoding, compressedKey(code), place[0], place[1])];
  })
    .filter((form) => form.size < entry.size)
    .sort((one, other) => one.size - other.size);
}

function toForm(entry: FileEntry, encoding: Encoding | undefined, key: string, offset: number, size: number): Form {
  return {
    encoding,
    key,
    offset,
    size,
    etag: etagOf(entry, encoding),
    // With its size, because an empty file lies where the next one begins.
    name: `${key}:${offset}:${size}`,
    headers: undefined,
    ticketHeaders: undefined,
  };
}
