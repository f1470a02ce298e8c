import { insertionPoint } from "./insertion-point.ts";
import { STAND_IN_SCRIPT } from "./stand-in-script.ts";

/** Returns the page with a script before all others that replaces storage; all other bytes stay as they are. */
export function withStandIn(page: Uint8Array): Uint8Array {
  const { encoding, mark } = encodingOf(page);
  const text = Buffer.from(page.buffer, page.byteOffset + mark, page.length - mark);
  const point = mark + bytesBefore(text, encoding);
  return Buffer.concat([page.subarray(0, point), encoded(encoding), page.subarray(point)]);
}

type Encoding = "ascii" | "utf-16le" | "utf-16be";

/**
 * Vitrine serves pages as UTF-8, which only a byte order mark overrules. The markup before the script is ASCII, so each byte
 * of UTF-8 can be read as one character.
 */
function encodingOf(page: Uint8Array): { encoding: Encoding; mark: number } {
  const [first, second, third] = page;
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", mark: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", mark: 2 };
  return { encoding: "ascii", mark: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
}

function bytesBefore(bytes: Buffer, encoding: Encoding): number {
  if (encoding === "ascii") return insertionPoint(bytes.toString("latin1"));
  return 2 * insertionPoint(swappedFor(encoding, bytes.subarray(0, bytes.length & ~1)).toString("utf16le"));
}

function encoded(encoding: Encoding): Uint8Array {
  if (encoding === "ascii") return Buffer.from(STAND_IN_SCRIPT, "latin1");
  return swappedFor(encoding, Buffer.from(STAND_IN_SCRIPT, "utf16le"));
}

const swappedFor = (encoding: Encoding, bytes: Buffer): Buffer =>
  encoding === "utf-16be" ? Buffer.from(bytes).swap16() : bytes;
