import { UPLOAD_BODY_BYTES } from "../../domain/model/limits.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { BODY_PACE, type PaceRule, pacedPieces, startPace } from "./body-pace.ts";

/**
 * Reads and forgets what nobody wanted of a request's body, if it is no longer than an upload may be. The connection ends
 * with an answer that comes before the body has, and a proxy that is still sending takes that for a server that broke: it
 * never sees the answer, and who asked is told to try again.
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
    // Who has gone gets no answer, and who is slow gets it sooner.
  } finally {
    pace.end();
  }
}
