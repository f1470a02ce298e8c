import { type Block, blockLength } from "./blocks.ts";

const MAGIC = 0x56545231;
const HEADER_BYTES = 20;

/** Returns a checksum of the bytes and of the name that they are stored under. */
const checksum = (name: string, { bytes, total }: Block): bigint =>
  Bun.hash.xxHash3(bytes, Bun.hash.xxHash64(`${name} ${total}`));

/** Returns the file content for a piece of an object. */
export function encodeBlock(name: string, block: Block): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(HEADER_BYTES + block.bytes.length);
  const header = new DataView(file.buffer);
  header.setUint32(0, MAGIC);
  header.setFloat64(4, block.total);
  header.setBigUint64(12, checksum(name, block));
  file.set(block.bytes, HEADER_BYTES);
  return file;
}

/** Returns the piece, or undefined if the file is not what was written, as after a power failure. */
export function decodeBlock(name: string, position: number, file: Uint8Array<ArrayBuffer>): Block | undefined {
  if (file.length < HEADER_BYTES) return undefined;
  const header = new DataView(file.buffer, file.byteOffset);
  const block = { bytes: file.subarray(HEADER_BYTES), total: header.getFloat64(4) };
  const isWhole = header.getUint32(0) === MAGIC && block.bytes.length === blockLength(position, block.total);
  return isWhole && header.getBigUint64(12) === checksum(name, block) ? block : undefined;
}
