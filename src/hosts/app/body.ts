import { Failure, invalid, tooLarge } from "../../domain/failure.ts";
import type { BodyLease } from "./body-budget.ts";
import { checkJsonBounds } from "./json-bounds.ts";

/** Bodies known to have no more than this many bytes are counted nowhere, so that they wait for nobody. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Reads a request's body, stopping as soon as it is known to be over `limit` bytes, and no faster than the lease
 * allows. Throws `TooLarge`, or `Unavailable` when the lease gives no room.
 */
export async function readBody(request: Request, limit: number, lease?: BodyLease): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limit) throw bodyTooLarge(limit);
  if (announced > 0 && announced <= SMALL_BYTES) return readAnnounced(request);
  if (request.body === null) return new Uint8Array();
  try {
    // What is over the limit stays to be drained.
    return await collectBody(request.body.values({ preventCancel: true }), { limit, lease });
  } catch (error) {
    throw error instanceof Failure ? error : endedEarly();
  }
}

export interface BodyReading {
  /** Bytes. */
  limit: number;
  lease: BodyLease | undefined;
  /** Bytes at the beginning that the lease need not have room for. */
  uncounted?: number;
}

/** Throws `TooLarge`, `Unavailable`, and whatever the source throws. */
export async function collectBody(
  source: AsyncIterable<Uint8Array>,
  { limit, lease, uncounted = 0 }: BodyReading,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw bodyTooLarge(limit);
    if (length > uncounted) await lease?.take(chunk.length);
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : concatenate(chunks, length);
}

/** The server makes sure that there are no more bytes than were announced. */
function readAnnounced(request: Request): Promise<Uint8Array> {
  return request.bytes().catch(() => {
    throw endedEarly();
  });
}

const endedEarly = () => invalid("The request body ended before it was complete.");

function bodyTooLarge(limit: number) {
  const inUnits = limit < 1024 * 1024 ? `${limit / 1024} KB` : `${limit / (1024 * 1024)} MB`;
  return tooLarge(`The request body exceeds the limit of ${inUnits}.`);
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** Parses a body as JSON in UTF-8 (RFC 8259 §8.1). Throws `Invalid`, for bodies too costly to parse as well. */
export function parseJson(bytes: Uint8Array): unknown {
  checkJsonBounds(bytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The request body is not valid JSON.");
  }
}
