import type { Encoding } from "./encodings.ts";

/** Where each compressed form lies within an object of compressed forms. */
export type CompressedIndex = Record<string, Partial<Record<Encoding, [offset: number, size: number]>>>;

/** Bytes that are sure to hold the length and, nearly always, the whole index. */
export const HEAD_BYTES = 16 * 1024;
const LENGTH_BYTES = 4;

/** Joins an index and the forms it describes into one object: length, index as JSON, bytes. Offsets are into it. */
export function encodeCompressed(
  forms: readonly { path: string; encoding: Encoding; bytes: Uint8Array }[],
): Uint8Array<ArrayBuffer> {
  // Without a prototype, because a file may be called "__proto__".
  const index: CompressedIndex = Object.create(null);
  let offset = 0;
  for (const { path, encoding, bytes } of forms) {
    const entry = index[path] ?? {};
    entry[encoding] = [offset, bytes.length];
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

/** Reads the index back, with offsets counted from the object's start. `read` gives bytes of the object. */
export async function readCompressedIndex(
  read: (offset: number, length: number) => Promise<Uint8Array | undefined>,
): Promise<CompressedIndex | undefined> {
  const head = await read(0, HEAD_BYTES);
  if (head === undefined || head.length < LENGTH_BYTES) return undefined;
  const length = new DataView(head.buffer, head.byteOffset).getUint32(0);
  const start = LENGTH_BYTES + length;
  const json = start <= head.length ? head.subarray(LENGTH_BYTES, start) : await read(LENGTH_BYTES, length);
  if (json === undefined) return undefined;
  const index: CompressedIndex = JSON.parse(new TextDecoder().decode(json));
  for (const entry of Object.values(index)) {
    for (const form of Object.values(entry)) form[0] += start;
  }
  return index;
}
