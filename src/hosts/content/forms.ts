import type { FileEntry } from "../../domain/model/files.ts";
import { compressedKey } from "../../domain/model/objects.ts";
import { canHaveStandIn, isStandInFor } from "../../domain/publishing/stand-in.ts";
import type { ServedVersion } from "../../domain/reports/ports.ts";
import { ENCODINGS, type Encoding } from "../http/encodings.ts";
import { isCompressible } from "../http/media-types.ts";
import type { CompressedIndex, CompressedPlace } from "./compressed.ts";
import { type Audience, etagOf } from "./headers.ts";

export type MakeBytes = () => Promise<Uint8Array<ArrayBuffer>>;

/** One form of a file, as uploaded or compressed: where its bytes are, and headers that are built once. */
export interface Form {
  encoding: Encoding | undefined;
  key: string;
  offset: number;
  size: number;
  etag: string;
  /** SHA-256 of an uploaded file's bytes, base64url. */
  digest: string | undefined;
  /** CRC-32 of a compressed form's bytes; undefined if an earlier version of Vitrine wrote it. */
  checksum: number | undefined;
  /** The key of its bytes in the memory cache. */
  name: string;
  /** Makes the bytes of a form that isn't stored. */
  make?: MakeBytes | undefined;
  /** Responses without a body, whose status and headers the actual ones take, by kind of reader. */
  templates: Partial<Record<Audience, ResponseTemplates>>;
}

/** Bun copies status and headers from a response faster than from an object. */
export interface ResponseTemplates {
  whole: Response;
  /** Made when it is first needed. */
  notModified: Response | undefined;
}

/** A file that the content host serves. */
export interface ServedFile {
  entry: FileEntry;
  /** The code of its version. */
  code: string;
  isCompressible: boolean;
  original: Form;
  /** Compressed forms smaller than the original, smallest first; undefined until they have been looked up. */
  compressed: readonly Form[] | undefined;
  /** The page that browsers get instead of this one, if it is stored or has been made. */
  standIn: ServedFile | undefined;
  /** Whether browsers get another page instead of this one. */
  hasStandIn: boolean;
  /** Resolves when `standIn` has been made. */
  making: Promise<void> | undefined;
  /** Whether the request's headers decide between a page and its stand-in. */
  isEither: boolean;
}

/** Returns all files of a version by name, each with its stand-in if that is stored. */
export function toServedFiles(
  code: string,
  { files, standIns, storage }: Omit<ServedVersion, "visibility" | "workspaceId">,
) {
  const standInFor = (path: string) => standIns.find((entry) => isStandInFor(entry.path, path));
  return new Map(
    files.map((entry): [string, ServedFile] => {
      const hasStandIn = storage === "memory" && canHaveStandIn(entry.path);
      const stored = hasStandIn ? standInFor(entry.path) : undefined;
      const standIn = stored && { ...toServedFile(code, stored), isEither: true };
      return [entry.path, { ...toServedFile(code, entry), hasStandIn, isEither: hasStandIn, standIn }];
    }),
  );
}

const toServedFile = (code: string, entry: FileEntry): ServedFile => ({
  entry,
  code,
  isCompressible: isCompressible(entry.path),
  original: toForm(entry, undefined, code, [entry.offset, entry.size]),
  compressed: undefined,
  standIn: undefined,
  hasStandIn: false,
  making: undefined,
  isEither: false,
});

interface MadeForm {
  encoding: Encoding;
  size: number;
  make: MakeBytes;
}

/** Returns a file that isn't stored, with its compressed forms. */
export function toMadeFile(
  code: string,
  entry: FileEntry,
  make: MakeBytes,
  compressed: readonly MadeForm[],
): ServedFile {
  const file = toServedFile(code, entry);
  const name = `${code} ${entry.path} ${entry.digest}`;
  const forms = compressed.map(({ encoding, size, make: makeForm }) => ({
    ...toForm(entry, encoding, code, [entry.offset, size]),
    name: `${name} ${encoding}`,
    make: makeForm,
  }));
  return {
    ...file,
    isEither: true,
    original: { ...file.original, name, make },
    compressed: forms.sort((one, other) => one.size - other.size),
  };
}

/** Yields the stored files and stand-ins. */
export function* withStandIns(files: Iterable<ServedFile>): Generator<ServedFile> {
  for (const file of files) {
    yield file;
    if (file.standIn !== undefined && file.standIn.original.make === undefined) yield file.standIn;
  }
}

/** Returns the compressed forms of a file that are listed in the index of its version. */
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
    // The size is included because an empty file has the same offset as the next one.
    name: `${key}:${offset}:${size}`,
    templates: {},
  };
}
