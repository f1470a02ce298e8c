import { findPoint, type Point } from "./insertion-point.ts";

/** Where markup goes into a page, and its bytes in the page's encoding. */
export interface Insertion {
  at: number;
  bytes: Uint8Array;
  /** Whether the bytes examined decide the place, whatever follows them. */
  isCertain: boolean;
}

/** Inserts markup before a page's first script and returns the page. All other bytes are unchanged. The markup is ASCII. */
export function withMarkupFirst(page: Uint8Array, markup: string): Uint8Array<ArrayBuffer> {
  const { at, bytes } = insertionFor(page, markup);
  return Buffer.concat([page.subarray(0, at), bytes, page.subarray(at)]);
}

/** Returns where markup goes into a page that starts with these bytes. */
export function insertionFor(start: Uint8Array, markup: string): Insertion {
  const { encoding, mark } = encodingOf(start);
  const text = Buffer.from(start.buffer, start.byteOffset + mark, start.length - mark);
  const { point, isCertain } = pointIn(text, encoding);
  return { at: mark + point, bytes: encoded(markup, encoding), isCertain };
}

type Encoding = "ascii" | "utf-16le" | "utf-16be";

/**
 * Vitrine serves pages as UTF-8, which only a byte order mark overrules. The markup before the insertion is ASCII, so each
 * byte of UTF-8 can be read as one character.
 */
function encodingOf(page: Uint8Array): { encoding: Encoding; mark: number } {
  const [first, second, third] = page;
  if (first === 0xff && second === 0xfe) return { encoding: "utf-16le", mark: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: "utf-16be", mark: 2 };
  return { encoding: "ascii", mark: first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0 };
}

/** Returns the insertion point in bytes. */
function pointIn(bytes: Buffer, encoding: Encoding): Point {
  if (encoding === "ascii") return findPoint(bytes.toString("latin1"));
  const { point, isCertain } = findPoint(
    swappedFor(encoding, bytes.subarray(0, bytes.length & ~1)).toString("utf16le"),
  );
  return { point: 2 * point, isCertain };
}

function encoded(markup: string, encoding: Encoding): Uint8Array {
  if (encoding === "ascii") return Buffer.from(markup, "latin1");
  return swappedFor(encoding, Buffer.from(markup, "utf16le"));
}

const swappedFor = (encoding: Encoding, bytes: Buffer): Buffer =>
  encoding === "utf-16be" ? Buffer.from(bytes).swap16() : bytes;
