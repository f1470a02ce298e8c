import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  gzip,
  gzipSync,
  zstdCompress,
  zstdCompressSync,
} from "node:zlib";
import { acceptedEncodings, type Encoding } from "./encodings.ts";

/** Smaller bodies gain little. */
const SMALLEST_BYTES = 1024;
/** Larger bodies are compressed by the thread pool, because they would hold the event loop. */
const LARGEST_AT_ONCE = 64 * 1024;

/** Levels that are quick enough to compress for each request. */
const ZSTD_LEVEL = 3;
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
const GZIP = { level: GZIP_LEVEL };

type Bytes = Uint8Array<ArrayBuffer>;

const AT_ONCE: Readonly<Record<Encoding, (bytes: Bytes) => Bytes>> = {
  zstd: (bytes) => zstdCompressSync(bytes, ZSTD),
  br: (bytes) => brotliCompressSync(bytes, BROTLI),
  gzip: (bytes) => gzipSync(bytes, GZIP),
};

const zstdInPool = promisify(zstdCompress);
const brotliInPool = promisify(brotliCompress);
const gzipInPool = promisify(gzip);

const IN_POOL: Readonly<Record<Encoding, (bytes: Bytes) => Promise<Bytes>>> = {
  zstd: (bytes) => zstdInPool(bytes, ZSTD),
  br: (bytes) => brotliInPool(bytes, BROTLI),
  gzip: (bytes) => gzipInPool(bytes, GZIP),
};

const STREAMS: Readonly<Record<Encoding, () => CompressionStream>> = {
  zstd: () => new CompressionStream("zstd", { level: ZSTD_LEVEL }),
  br: () => new CompressionStream("brotli", { level: BROTLI_QUALITY }),
  gzip: () => new CompressionStream("gzip", { level: GZIP_LEVEL }),
};

interface Answer {
  status: number;
  headers: Headers;
}

/**
 * Responds with a text, compressed in a coding that the request accepts. Only for texts without secrets, see
 * docs/decisions/0041-compression.md.
 */
export async function compressedText(request: Headers, text: string, { status, headers }: Answer): Promise<Response> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length < SMALLEST_BYTES) return new Response(bytes, { status, headers });
  const encoding = negotiate(request, headers);
  if (encoding === undefined) return new Response(bytes, { status, headers });
  const body = bytes.length > LARGEST_AT_ONCE ? await IN_POOL[encoding](bytes) : AT_ONCE[encoding](bytes);
  return new Response(body, { status, headers });
}

/** Responds with a stream, compressed likewise. */
export function compressedStream(
  request: Headers,
  stream: ReadableStream<Bytes>,
  { status, headers }: Answer,
): Response {
  const encoding = negotiate(request, headers);
  const body = encoding === undefined ? stream : stream.pipeThrough(STREAMS[encoding]());
  return new Response(body, { status, headers });
}

/** Returns the coding to use, and adds the headers that say so. */
function negotiate(request: Headers, headers: Headers): Encoding | undefined {
  headers.append("Vary", "Accept-Encoding");
  const [encoding] = acceptedEncodings(request.get("accept-encoding") ?? "");
  if (encoding !== undefined) headers.set("Content-Encoding", encoding);
  return encoding;
}
