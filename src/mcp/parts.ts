import { createPageText } from "../html/page-text.ts";
import { createTextExtractor, type TextSink } from "../html/text.ts";
import { breathe } from "./breathe.ts";

/** Milliseconds of work between two breaks for other requests. */
const SLICE = 8;
const PIECE = 64 * 1024;

export interface Part<Content> {
  content: Content;
  nextOffset: number | null;
}

interface Range {
  offset: number;
  limit: number;
}

/** Returns a part of a text, in UTF-16 units. Never splits a surrogate pair. */
export function partOfText(text: string, { offset, limit }: Range): Part<string> {
  const end = beforePair(text, offset + limit);
  return { content: text.slice(offset, end), nextOffset: end < text.length ? end : null };
}

const beforePair = (text: string, index: number) =>
  /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index;

/** Returns a part of the text of a page, in UTF-16 units, and the length of the whole text. */
export async function partOfPage(
  response: Response,
  { offset, limit }: Range,
): Promise<Part<string> & { total: number }> {
  let length = 0;
  const kept: string[] = [];
  const page = createPageText((text) => {
    // One more character than requested shows that there is more.
    if (length + text.length > offset && length <= offset + limit) kept.push(text.slice(Math.max(0, offset - length)));
    length += text.length;
  });
  await readPage(response, page);
  const { content, nextOffset } = partOfText(kept.join(""), { offset: 0, limit });
  return { content, nextOffset: nextOffset === null ? null : offset + nextOffset, total: length };
}

/** Passes the visible text of a page to the sink, with breaks for other requests. */
export async function readPage(response: Response, sink: TextSink): Promise<void> {
  const extractor = createTextExtractor(sink);
  const decoder = new TextDecoder();
  let sliceEnd = performance.now() + SLICE;
  for await (const piece of piecesOf(response)) {
    extractor.push(decoder.decode(piece, { stream: true }));
    if (performance.now() > sliceEnd) {
      await breathe();
      sliceEnd = performance.now() + SLICE;
    }
  }
  extractor.end();
}

/** Returns the whole text of a page. */
export async function textOfPage(response: Response): Promise<string> {
  const kept: string[] = [];
  await readPage(
    response,
    createPageText((text) => kept.push(text)),
  );
  return kept.join("");
}

/** Returns a part of the bytes of a file. Reads no further than necessary. */
export async function partOfBytes(response: Response, { offset, limit }: Range): Promise<Uint8Array> {
  const kept: Uint8Array[] = [];
  let position = 0;
  for await (const piece of piecesOf(response)) {
    const from = Math.max(0, offset - position);
    const to = offset + limit - position;
    if (from < piece.length) kept.push(piece.slice(from, to));
    position += piece.length;
    if (position >= offset + limit) break;
  }
  return Buffer.concat(kept);
}

/** Returns the bytes without an incomplete UTF-8 character at the end, unless the file ends there. */
export function wholeCharacters(bytes: Uint8Array, isAtEnd: boolean): Uint8Array {
  if (isAtEnd) return bytes;
  const start = lastCharacterStart(bytes);
  return start + lengthOfCharacter(bytes[start] ?? 0) > bytes.length ? bytes.subarray(0, start) : bytes;
}

function lastCharacterStart(bytes: Uint8Array): number {
  const lowest = Math.max(0, bytes.length - 4);
  for (let index = bytes.length - 1; index >= lowest; index--) if (((bytes[index] ?? 0) & 0xc0) !== 0x80) return index;
  return Math.max(0, bytes.length - 1);
}

function lengthOfCharacter(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc0 ? 2 : 1;
}

async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  for await (const chunk of response.body) {
    for (let start = 0; start < chunk.length; start += PIECE) yield chunk.subarray(start, start + PIECE);
  }
}
