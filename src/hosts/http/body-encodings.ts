import type { Transform } from "node:stream";
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import { Failure, invalid } from "../../domain/model/failure.ts";
import { quote } from "../../domain/model/quote.ts";
import { type BodyReading, collectBody, SMALL_BYTES } from "./body.ts";

/** The number of bytes to decode between two checks of the limit. */
const SLICE_BYTES = 64 * 1024;
/** The largest window that a client can use (RFC 9659). The first bytes of a body make the decoder allocate it. */
const ZSTD_WINDOW_BITS = 23;

interface Decoder {
  /** The memory that decoding takes, in bytes, if significant. */
  memory: number;
  create(): Transform;
}

const gzip: Decoder = { memory: 0, create: () => createGunzip({ chunkSize: SLICE_BYTES }) };
const zstd: Decoder = {
  memory: 2 ** ZSTD_WINDOW_BITS,
  create: () =>
    createZstdDecompress({
      chunkSize: SLICE_BYTES,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS },
    }),
};

/** Decoders by their names in `Content-Encoding` (RFC 9110 §8.4.1). */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["zstd", zstd],
]);
const SUPPORTED = "gzip, zstd";

/** Returns the encoding of a body, or undefined if it is not encoded. Throws `Unsupported`. */
export function bodyEncoding(headers: Headers): string | undefined {
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity") return undefined;
  if (DECODERS.has(encoding)) return encoding;
  throw new Failure(
    "Unsupported",
    `Content-Encoding ${quote(encoding)} isn't supported. Use gzip, zstd or no encoding.`,
    { acceptEncoding: SUPPORTED },
  );
}

/**
 * Decodes a body in slices, off the event loop, and stops once it exceeds the limit. Throws `Invalid` if it is damaged,
 * `TooLarge`, or `Unavailable` if the lease finds no room.
 */
export async function decodeBody(body: Uint8Array, encoding: string, reading: BodyReading): Promise<Uint8Array> {
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) throw new Error(`No decoder for ${encoding}.`);
  if (decoder.memory > 0) await reading.lease?.take(decoder.memory);
  const stream = decoder.create();
  stream.end(body);
  try {
    return await collectBody(stream, { ...reading, uncounted: SMALL_BYTES });
  } catch (error) {
    throw error instanceof Failure
      ? error
      : invalid(`The request body isn't valid ${encoding} data. Check how it was compressed.`);
  }
}
