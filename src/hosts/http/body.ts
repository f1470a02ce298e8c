import { Failure, invalid, tooLarge } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { createByteCollector } from "./body-bytes.ts";
import { BODY_PACE, type PaceRule, paced, pacedPieces, startPace } from "./body-pace.ts";
import type { BodyLease } from "./body-pool.ts";
import { checkJsonBounds } from "./json-bounds.ts";

/** Bodies known to have no more than this many bytes are counted nowhere, so that they wait for nobody. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Reads a request's body, stopping as soon as it is known to be over `limit` bytes, and no faster than the lease
 * allows. Throws `TooLarge`, `TooSlow`, or `Unavailable` when the lease gives no room.
 */
export type ReadBody = (request: Request, limit: number, lease?: BodyLease) => Promise<Uint8Array>;

export function createBodyReader(clock: Clock, rule: PaceRule = BODY_PACE): ReadBody {
  return async (request, limit, lease) => {
    const announced = Number(request.headers.get("content-length") ?? 0);
    if (announced > limit) throw bodyTooLarge(limit);
    if (request.body === null) return new Uint8Array();
    const pace = startPace(rule, clock);
    try {
      // The server makes sure that there are no more bytes than were announced.
      if (announced > 0 && announced <= SMALL_BYTES) return await paced(request.bytes(), pace);
      return await collectBody(pacedPieces(request.body, pace), { limit, lease });
    } catch (error) {
      throw error instanceof Failure ? error : endedEarly();
    } finally {
      pace.end();
    }
  };
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
  const collected = createByteCollector();
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) throw bodyTooLarge(limit);
    if (length > uncounted) await lease?.take(chunk.length);
    collected.add(chunk);
  }
  return collected.bytes();
}

const endedEarly = () => invalid("The request body ended before it was complete.");

function bodyTooLarge(limit: number) {
  const inUnits = limit < 1024 * 1024 ? `${limit / 1024} KB` : `${limit / (1024 * 1024)} MB`;
  return tooLarge(`The request body exceeds the limit of ${inUnits}.`);
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
