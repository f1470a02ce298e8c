import { DamagedObject } from "../../domain/model/objects.ts";
import { ENCODINGS, type Encoding } from "../http/encodings.ts";

/** The place of a compressed form. The CRC-32 of its bytes is missing if an earlier version of Vitrine wrote it. */
export type CompressedPlace = [offset: number, size: number, checksum?: number];

/** The place of each compressed form within an object of compressed forms. */
export type CompressedIndex = Record<string, Partial<Record<Encoding, CompressedPlace>>>;

/** One compressed form of a file. */
export interface CompressedForm {
  path: string;
  encoding: Encoding;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Bytes to read first: they hold the length and, nearly always, the whole index. */
export const HEAD_BYTES = 16 * 1024;
const LENGTH_BYTES = 4;
/** Several times the names of all files of the largest upload. */
const LARGEST_INDEX_BYTES = 1024 * 1024;

/** Joins an index and the forms it describes into one object: length, index as JSON, bytes. Offsets are into it. */
export function encodeCompressed(forms: readonly CompressedForm[]): Uint8Array<ArrayBuffer> {
  // Without a prototype, because a file may be called "__proto__".
  const index: CompressedIndex = Object.create(null);
  let offset = 0;
  for (const { path, encoding, bytes } of forms) {
    const entry = index[path] ?? {};
    entry[encoding] = [offset, bytes.length, Bun.hash.crc32(bytes)];
    index[path] = entry;
    offset += bytes.length;
  }
  const json = new TextEncoder().encode(JSON.stringify(index));
  const whole = new Uint8Array(LENGTH_BYTES + json.length + offset);
  new DataView(whole.buffer).setUint32(0, json.length);
  whole.set(json, LENGTH_BYTES);
  let end = LENGTH_BYTES + json.length;
  for (const { bytes } of forms) {
    whole.set(bytes, end);
    end += bytes.length;
  }
  return whole;
}

/**
 * Returns the index of an object, with offsets from the object's start; undefined if the object doesn't exist. `read`
 * returns bytes of the object. Throws `DamagedObject` if the index can't be read.
 */
export async function readCompressedIndex(
  key: string,
  read: (offset: number, length: number) => Promise<Uint8Array | undefined>,
): Promise<CompressedIndex | undefined> {
  const head = await read(0, HEAD_BYTES);
  if (head === undefined) return undefined;
  if (head.length < LENGTH_BYTES) throw new DamagedObject(key);
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  if (length > LARGEST_INDEX_BYTES) throw new DamagedObject(key);
  const start = LENGTH_BYTES + length;
  const json = start <= head.length ? head.subarray(LENGTH_BYTES, start) : await read(LENGTH_BYTES, length);
  if (json === undefined) return undefined;
  const index = parseIndex(new TextDecoder().decode(json));
  if (index === undefined) throw new DamagedObject(key);
  for (const entry of Object.values(index)) {
    for (const form of Object.values(entry)) form[0] += start;
  }
  return index;
}

function parseIndex(text: string): CompressedIndex | undefined {
  try {
    const index: unknown = JSON.parse(text);
    return isIndex(index) ? index : undefined;
  } catch {
    return undefined;
  }
}

const isIndex = (index: unknown): index is CompressedIndex =>
  isRecord(index) &&
  Object.values(index).every(
    (entry) =>
      isRecord(entry) &&
      Object.entries(entry).every(([encoding, place]) => ENCODINGS.some((each) => each === encoding) && isPlace(place)),
  );

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isPlace = (place: unknown): place is CompressedPlace =>
  Array.isArray(place) && (place.length === 2 || place.length === 3) && place.every(Number.isSafeInteger);
