import type { Transform } from "node:stream";
import { constants, createGunzip, createZstdDecompress } from "node:zlib";
import { Failure, invalid } from "../../domain/model/failure.ts";
import { type BodyReading, collectBody, SMALL_BYTES } from "./body.ts";

/** Bytes that are decoded between two looks at how many there are. */
const SLICE_BYTES = 64 * 1024;
/** The widest window that a sender may use (RFC 9659); it is memory that the first few bytes of a body make us take. */
const ZSTD_WINDOW_BITS = 23;

interface Decoder {
  /** Bytes that it takes while it works, if they are many. */
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

/** By their names in `Content-Encoding` (RFC 9110 §8.4.1). */
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ["gzip", gzip],
  ["x-gzip", gzip],
  ["zstd", zstd],
]);
const TAKEN = "gzip, zstd";

/** How a body is encoded; undefined for not at all. Throws `Unsupported`. */
export function bodyEncoding(headers: Headers): string | undefined {
  const encoding = headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "identity") return undefined;
  if (DECODERS.has(encoding)) return encoding;
  throw new Failure("Unsupported", "Content-Encoding must be gzip, zstd or absent.", { acceptEncoding: TAKEN });
}

/**
 * Decodes a body slice by slice, off the event loop, stopping as soon as it is known to be over the limit. Throws
 * `Invalid` when it is damaged, `TooLarge`, or `Unavailable` when the lease gives no room.
 */
export async function decodeBody(body: Uint8Array, encoding: string, reading: BodyReading): Promise<Uint8Array> {
  const decoder = DECODERS.get(encoding);
  if (decoder === undefined) throw new Error(`There is no decoder for ${encoding}.`);
  if (decoder.memory > 0) await reading.lease?.take(decoder.memory);
  const stream = decoder.create();
  stream.end(body);
  try {
    return await collectBody(stream, { ...reading, uncounted: SMALL_BYTES });
  } catch (error) {
    throw error instanceof Failure ? error : invalid(`The request body is not valid ${encoding}.`);
  }
}
