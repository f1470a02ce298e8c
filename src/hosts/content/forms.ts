import type { FileEntry } from "../../domain/model/files.ts";
import { compressedKey } from "../../domain/model/objects.ts";
import { isStandInFor } from "../../domain/publishing/stand-in.ts";
import type { ServedVersion } from "../../domain/reports/ports.ts";
import { isCompressible } from "../http/media-types.ts";
import type { CompressedIndex, CompressedPlace } from "./compressed.ts";
import { ENCODINGS, type Encoding } from "./encodings.ts";
import { etagOf } from "./headers.ts";

/** One form of a file, as uploaded or compressed: where its bytes lie, and headers that have been built once. */
export interface Form {
  encoding: Encoding | undefined;
  key: string;
  offset: number;
  size: number;
  etag: string;
  /** SHA-256 of an uploaded file's bytes, base64url. */
  digest: string | undefined;
  /** CRC-32 of a compressed form's bytes; undefined where none was noted. */
  checksum: number | undefined;
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
  /** What browsers get for a page in its place. */
  standIn: ServedFile | undefined;
  /** Whether it depends on who asks which of two is served. */
  isEither: boolean;
}

/** All files of a version by their names, each with its stand-in. */
export function toServedFiles(code: string, { files, standIns }: Omit<ServedVersion, "visibility">) {
  const standInFor = (path: string) => standIns.find((entry) => isStandInFor(entry.path, path));
  return new Map(files.map((entry) => [entry.path, toServedFile(code, entry, standInFor(entry.path))]));
}

function toServedFile(code: string, entry: FileEntry, standIn: FileEntry | undefined, isEither = false): ServedFile {
  return {
    entry,
    isCompressible: isCompressible(entry.path),
    original: toForm(entry, undefined, code, [entry.offset, entry.size]),
    compressed: undefined,
    standIn: standIn && toServedFile(code, standIn, undefined, true),
    isEither: isEither || standIn !== undefined,
  };
}

/** The files, and what is served in their place. */
export function* withStandIns(files: Iterable<ServedFile>): Generator<ServedFile> {
  for (const file of files) {
    yield file;
    if (file.standIn !== undefined) yield file.standIn;
  }
}

/** The compressed forms of a file by the index of its version's object of them. */
export function compressedForms(code: string, entry: FileEntry, index: CompressedIndex | undefined): Form[] {
  const places = index !== undefined && Object.hasOwn(index, entry.path) ? index[entry.path] : undefined;
  if (places === undefined) return [];
  return ENCODINGS.flatMap((encoding) => {
    const place = places[encoding];
    return place === undefined ? [] : [toForm(entry, encoding, compressedKey(code), place)];
  })
    .filter((form) => form.size < entry.size)
    .sort((one, other) => one.size - other.size);
}

function toForm(
  entry: FileEntry,
  encoding: Encoding | undefined,
  key: string,
  [offset, size, checksum]: CompressedPlace,
): Form {
  return {
    encoding,
    key,
    offset,
    size,
    etag: etagOf(entry, encoding),
    digest: encoding === undefined ? entry.digest : undefined,
    checksum,
    // With its size, because an empty file lies where the next one begins.
    name: `${key}:${offset}:${size}`,
    headers: undefined,
    ticketHeaders: undefined,
  };
}
