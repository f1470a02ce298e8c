import { Failure, invalid, tooLarge } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { createByteCollector } from "./body-bytes.ts";
import { BODY_PACE, type PaceRule, paced, pacedPieces, startPace } from "./body-pace.ts";
import type { BodyLease } from "./body-pool.ts";
import { checkJsonBounds } from "./json-bounds.ts";

/** Bodies announced with at most this many bytes are not counted against the pool, so they never wait. */
export const SMALL_BYTES = 64 * 1024;

/**
 * Reads a request's body at the pace that the lease allows, and stops once it exceeds `limit` bytes. Throws `TooLarge`,
 * `TooSlow`, or `Unavailable` if the lease finds no room.
 */
export type ReadBody = (request: Request, limit: number, lease?: BodyLease) => Promise<Uint8Array>;

export function createBodyReader(clock: Clock, rule: PaceRule = BODY_PACE): ReadBody {
  return async (request, limit, lease) => {
    const announced = Number(request.headers.get("content-length") ?? 0);
    if (announced > limit) throw bodyTooLarge(limit);
    if (request.body === null) return new Uint8Array();
    const pace = startPace(rule, clock);
    try {
      // Bun never delivers more bytes than `Content-Length` announces.
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
  /** The maximum number of bytes. */
  limit: number;
  lease: BodyLease | undefined;
  /** The number of bytes at the start that are not counted against the lease. */
  uncounted?: number;
}

/** Collects a body from its chunks. Throws `TooLarge`, `Unavailable` and any error of the source. */
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
  return await collected.bytes();
}

const endedEarly = () => invalid("The request body is incomplete: the connection ended early. Send the request again.");

function bodyTooLarge(limit: number) {
  const inUnits = limit < 1024 * 1024 ? `${limit / 1024} KB` : `${limit / (1024 * 1024)} MB`;
  return tooLarge(`The request body exceeds the limit of ${inUnits}.`);
}

/** Parses a body as JSON in UTF-8 (RFC 8259 §8.1). Throws `Invalid` if it is malformed or too complex. */
export function parseJson(bytes: Uint8Array): unknown {
  checkJsonBounds(bytes);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The request body isn't valid JSON. Send JSON encoded as UTF-8.");
  }
}
