/** A WebP picture of one pixel (VP8), whose header tests change. */
const WEBP = Buffer.from("UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAgA0JaQAA3AA/vuUAAA=", "base64");
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

interface Size {
  width?: number;
  height?: number;
  /** The number of bytes; the rest is filled. */
  length?: number;
}

/** Returns a WebP file whose header states a size. */
export function webpOf({ width = 1, height = 1, length = WEBP.length }: Size = {}): Buffer {
  const bytes = Buffer.concat([WEBP, Buffer.alloc(length - WEBP.length)]);
  bytes.writeUInt32LE(length - 8, 4);
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes;
}

/** Returns a PNG file whose header states a size. */
export function pngOf({ width = 1, height = 1 }: Size = {}): Buffer {
  const bytes = Buffer.from(PNG);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}
