import { createHmac, timingSafeEqual } from "node:crypto";
import type { Cursors } from "../../domain/model/cursors.ts";
import { invalid } from "../../domain/model/failure.ts";

const MAC_BYTES = 12;

/**
 * Creates opaque cursors into lists. A cursor is signed and bound to the request that returned it, because its content
 * goes into queries unchecked.
 */
export function createCursors<Place>({ secret }: { secret: string }): Cursors<Place> {
  // Derives a separate key, so that no other value signed with the secret passes as a cursor.
  const key = createHmac("sha256", secret).update("vitrine cursor").digest();

  const macOf = (question: string, place: string) =>
    createHmac("sha256", key).update(`${question.length}.${question}.${place}`).digest().subarray(0, MAC_BYTES);

  function encode(question: string, place: Place): string {
    const text = JSON.stringify(place);
    return Buffer.concat([macOf(question, text), Buffer.from(text)]).toString("base64url");
  }

  /** Returns the place that a cursor encodes. Throws `Invalid` if the cursor is not for this request. */
  function decode(question: string, cursor: string): Place {
    const bytes = Buffer.from(cursor, "base64url");
    const text = bytes.subarray(MAC_BYTES).toString();
    const isGenuine = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(question, text));
    if (!isGenuine)
      throw invalid(
        "cursor isn't valid for this request. Pass the next_cursor of the previous page, with the same parameters.",
      );
    return JSON.parse(text);
  }

  return { encode, decode };
}
