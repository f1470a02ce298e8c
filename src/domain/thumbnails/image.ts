import { invalid, tooLarge } from "../model/failure.ts";
import { THUMBNAIL_BYTES, THUMBNAIL_SIDE } from "../model/limits.ts";

export const IMAGE_TYPES = ["image/webp", "image/png"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

interface Image {
  type: ImageType;
  width: number;
  height: number;
}

/**
 * Returns the media type of a thumbnail. Throws `TooLarge` or `Invalid`. Looks at the header only: what the picture shows
 * is never interpreted here.
 */
export function checkImage(bytes: Buffer): ImageType {
  if (bytes.length > THUMBNAIL_BYTES) {
    throw tooLarge(
      `image has ${bytes.length} bytes, but at most ${THUMBNAIL_BYTES} are allowed. Send a smaller picture.`,
    );
  }
  const image = readWebp(bytes) ?? readPng(bytes);
  if (image === undefined) throw invalid("image isn't a WebP or PNG picture. Send one still picture in either format.");
  const { type, width, height } = image;
  if (Math.min(width, height) < 1 || Math.max(width, height) > THUMBNAIL_SIDE) {
    throw invalid(
      `image has ${width}×${height} pixels, but each side must have 1 to ${THUMBNAIL_SIDE}. Send a smaller picture.`,
    );
  }
  return type;
}

/** Decodes base64 (RFC 4648 §4). Throws `Invalid`. */
export function decodeImage(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw invalid("image isn't valid base64. Encode the bytes of the picture.");
  return bytes;
}

const textAt = (bytes: Buffer, start: number, length: number) => bytes.toString("latin1", start, start + length);

/** The bytes up to the dimensions, in all three forms of WebP. */
const WEBP_HEADER = 30;
const ANIMATION = 0b10;

/** Reads the header of a WebP file (RFC 9649 §2). */
function readWebp(bytes: Buffer): Image | undefined {
  if (bytes.length < WEBP_HEADER || textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") return undefined;
  if (bytes.readUInt32LE(4) !== bytes.length - 8) return undefined;
  const type = "image/webp";
  switch (textAt(bytes, 12, 4)) {
    case "VP8 ":
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return undefined;
      return { type, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case "VP8L": {
      if (bytes[20] !== 0x2f) return undefined;
      const sides = bytes.readUInt32LE(21);
      return { type, width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
    }
    case "VP8X":
      if ((bytes.readUInt8(20) & ANIMATION) !== 0) return undefined;
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

const PNG_START = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const PNG_END = "\0\0\0\0IEND\xae\x42\x60\x82";

/** Reads the header of a PNG file (ISO/IEC 15948). */
function readPng(bytes: Buffer): Image | undefined {
  if (textAt(bytes, 0, PNG_START.length) !== PNG_START || bytes.length < 57) return undefined;
  if (textAt(bytes, bytes.length - PNG_END.length, PNG_END.length) !== PNG_END) return undefined;
  return { type: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}
