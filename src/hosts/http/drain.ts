import { UPLOAD_BODY_BYTES } from "../../domain/model/limits.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { BODY_PACE, type PaceRule, pacedPieces, startPace } from "./body-pace.ts";

/**
 * Reads and discards the rest of a request's body, unless it is longer than an upload can be. A response before the end
 * of the body closes the connection, and a proxy that is still sending then reports a broken server (502) instead.
 */
export async function drain(
  { method, headers, body }: Request,
  clock: Clock,
  rule: PaceRule = BODY_PACE,
): Promise<void> {
  if (method === "GET" || method === "HEAD" || body === null || body.locked) return;
  if (Number(headers.get("content-length") ?? 0) > UPLOAD_BODY_BYTES) return;
  let length = 0;
  const pace = startPace(rule, clock);
  try {
    for await (const chunk of pacedPieces(body, pace)) {
      length += chunk.length;
      if (length > UPLOAD_BODY_BYTES) return;
    }
  } catch {
    // The client has gone, or is too slow to wait for.
  } finally {
    pace.end();
  }
}
