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
import { LRUCache } from "lru-cache";
import { acceptedEncodings, ENCODINGS, type Encoding } from "./encodings.ts";

/** Kept bodies that are made at the same time. Each can take some megabytes, and delays the others in the thread pool. */
const MADE_AT_ONCE = 8;
/** Large sources that are remembered as asked for. */
const ASKED = 1000;

/** Smaller bodies gain little. */
const SMALLEST_BYTES = 1024;
/** Larger bodies are compressed by the thread pool, because they would hold the event loop. */
const LARGEST_AT_ONCE = 64 * 1024;

/** Levels that are quick enough to compress for each request. */
const ZSTD_LEVEL = 1;
const BROTLI_QUALITY = 5;
const GZIP_LEVEL = 6;

const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
const GZIP = { level: GZIP_LEVEL };
/** For large bodies, which wait for the thread pool anyway: a fifth smaller, in 8 instead of 2 milliseconds for half a megabyte. */
const ZSTD_IN_POOL = { params: { [constants.ZSTD_c_compressionLevel]: 9 } };

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
  zstd: (bytes) => zstdInPool(bytes, ZSTD_IN_POOL),
  br: (bytes) => brotliInPool(bytes, BROTLI),
  gzip: (bytes) => gzipInPool(bytes, GZIP),
};

/** For what never changes: takes tens of milliseconds for a script, once. */
const SMALLEST: typeof IN_POOL = {
  zstd: (bytes) => zstdInPool(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  br: (bytes) => brotliInPool(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
  gzip: (bytes) => gzipInPool(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Brotli isn't among them, because its state takes several megabytes. */
const STREAM_ENCODINGS = ["zstd", "gzip"] as const;
type StreamEncoding = (typeof STREAM_ENCODINGS)[number];
/** Each takes about a megabyte for as long as its client reads; more are sent uncompressed. */
const STREAMS_AT_ONCE = 16;

const STREAMS: Readonly<Record<StreamEncoding, () => CompressionStream>> = {
  zstd: () => new CompressionStream("zstd", { level: ZSTD_LEVEL }),
  gzip: () => new CompressionStream("gzip", { level: GZIP_LEVEL }),
};

/** Compresses bytes in the thread pool. */
export const compressInPool = (encoding: Encoding, bytes: Bytes): Promise<Bytes> => IN_POOL[encoding](bytes);

interface Answer {
  status: number;
  headers: Headers;
}

/**
 * Responds with a text, compressed in a coding that the request accepts. Only for texts without secrets, see
 * docs/decisions/0041-compression.md.
 */
export const compressedText = (request: Headers, text: string, answer: Answer): Promise<Response> =>
  createKeptText(text)(request, answer);

/** Compresses bytes at once if that takes less than a millisecond or two. */
const compress = (encoding: Encoding, bytes: Bytes): Bytes | Promise<Bytes> =>
  bytes.length > LARGEST_AT_ONCE ? IN_POOL[encoding](bytes) : AT_ONCE[encoding](bytes);

/** Bytes that never change. */
interface Source {
  name: string;
  size: number;
  read(): Promise<Bytes>;
}

/**
 * Creates the function that responds with what it made lately from sources, which it keeps in each coding, up to a number of bytes. It
 * returns undefined for what is sent another way: large sources that are asked for once, and all that are new while it is making
 * eight others.
 */
export function createKeptBodies(bytes: number) {
  /** As blobs, because responses share their bytes instead of copying them. */
  const kept = new LRUCache<string, Blob>({ maxSize: bytes, sizeCalculation: (body) => body.size + 100 });
  const making = new Map<string, Promise<Blob>>();
  /** Large sources that someone asked for. Most are shown to one reader, who needn't wait until they are made. */
  const asked = new LRUCache<string, true>({ max: ASKED });

  async function make(key: string, encoding: Encoding | undefined, { read }: Source): Promise<Blob> {
    const plain = await read();
    const body = new Blob([encoding === undefined ? plain : await compress(encoding, plain)]);
    kept.set(key, body);
    return body;
  }

  function start(key: string, encoding: Encoding | undefined, source: Source): Promise<Blob> | undefined {
    if (source.size > LARGEST_AT_ONCE && !asked.has(key)) {
      asked.set(key, true);
      return undefined;
    }
    if (making.size >= MADE_AT_ONCE) return undefined;
    const made = make(key, encoding, source).finally(() => making.delete(key));
    making.set(key, made);
    return made;
  }

  return (request: Headers, source: Source, answer: Answer): Promise<Response> | undefined => {
    const encoding = encodingFor(request, ENCODINGS);
    const key = `${encoding ?? "plain"} ${source.name}`;
    const known = kept.get(key);
    if (known !== undefined) return Promise.resolve(respond(known, encoding, answer));
    return (making.get(key) ?? start(key, encoding, source))?.then((body) => respond(body, encoding, answer));
  };
}

/** Creates the function that responds with a text that never changes. It is compressed once in each coding, as far as possible. */
export const createConstantText = (text: string) => createForms(text, (encoding, bytes) => SMALLEST[encoding](bytes));

/** Creates the function that responds with a text that may be asked for again. It is compressed once in each coding. */
export const createKeptText = (text: string) => createForms(text, compress);

function createForms(text: string, make: (encoding: Encoding, bytes: Bytes) => Bytes | Promise<Bytes>) {
  const bytes = new TextEncoder().encode(text);
  const forms = new Map<Encoding, Bytes | Promise<Bytes>>();

  return async (request: Headers, { status, headers }: Answer): Promise<Response> => {
    if (bytes.length < SMALLEST_BYTES) return new Response(bytes, { status, headers });
    const encoding = encodingFor(request, ENCODINGS);
    if (encoding === undefined) return respond(bytes, encoding, { status, headers });
    return respond(await formIn(encoding), encoding, { status, headers });
  };

  async function formIn(encoding: Encoding): Promise<Bytes> {
    const form = forms.get(encoding) ?? make(encoding, bytes);
    forms.set(encoding, form);
    try {
      return await form;
    } catch (error) {
      // Memory may have been short. The next request tries again.
      forms.delete(encoding);
      throw error;
    }
  }
}

/** Creates the function that responds with streams, of which it compresses a few at a time likewise. */
export function createStreamCompression() {
  let running = 0;

  return (request: Headers, stream: ReadableStream<Bytes>, answer: Answer): Response => {
    const encoding = encodingFor(request, running < STREAMS_AT_ONCE ? STREAM_ENCODINGS : []);
    return respond(encoding === undefined ? stream : compressedWhenRead(stream, encoding), encoding, answer);
  };

  /** Starts with the first read, because the body of an answer to HEAD is never read. */
  function compressedWhenRead(stream: ReadableStream<Bytes>, encoding: StreamEncoding): ReadableStream<Bytes> {
    let reader: ReturnType<typeof start> | undefined;
    let isRunning = false;

    function start() {
      isRunning = true;
      running++;
      return stream.pipeThrough(STREAMS[encoding]()).getReader();
    }

    function end(): void {
      if (isRunning) running--;
      isRunning = false;
    }

    return new ReadableStream<Bytes>(
      {
        async pull(controller) {
          reader ??= start();
          const { done, value } = await reader.read().catch((error) => {
            end();
            throw error;
          });
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        },
        async cancel(reason) {
          end();
          await (reader ?? stream).cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }
}

/** Returns the coding to use, the client's most preferred one. */
function encodingFor<Available extends Encoding>(
  request: Headers,
  available: readonly Available[],
): Available | undefined {
  const accepted = acceptedEncodings(request.get("accept-encoding") ?? "");
  return available.find((one) => accepted.includes(one));
}

/** Responds with a body in a coding, and adds the headers that say so. */
function respond(
  body: Blob | Bytes | ReadableStream<Bytes>,
  encoding: Encoding | undefined,
  { status, headers }: Answer,
): Response {
  headers.append("Vary", "Accept-Encoding");
  if (encoding !== undefined) headers.set("Content-Encoding", encoding);
  return new Response(body, { status, headers });
}
