import { Failure, invalid, tooLarge } from "../../domain/failure.ts";
import type { BodyLease } from "./body-budget.ts";

/**
 * Reads a request's body, stopping as soon as it is known to be over `limit` bytes, and no faster than the lease
 * allows. Throws `TooLarge`, or `Unavailable` when the lease gives no room.
 */
export async function readBody(request: Request, limit: number, lease?: BodyLease): Promise<Uint8Array> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > limit) throw bodyTooLarge(limit);
  if (request.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of request.body) {
      length += chunk.length;
      if (length > limit) throw bodyTooLarge(limit);
      await lease?.take(chunk.length);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Failure ? error : invalid("The request body ended before it was complete.");
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : concatenate(chunks, length);
}

const bodyTooLarge = (limit: number) =>
  tooLarge(`The request body exceeds the limit of ${Math.round(limit / (1024 * 1024))} MB.`);

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}

/** Parses a body as JSON in UTF-8 (RFC 8259 §8.1). Throws `Invalid`. */
export function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw invalid("The request body is not valid JSON.");
  }
}
