import { createHmac, timingSafeEqual } from "node:crypto";
import type { Cursors } from "../../domain/model/cursors.ts";
import { invalid } from "../../domain/model/failure.ts";

const MAC_BYTES = 12;

/**
 * Opaque places in lists. A cursor is good for the one question that it was an answer to, and nobody can make one up:
 * what it says is put into queries as it is.
 */
export function createCursors<Place>({ secret }: { secret: string }): Cursors<Place> {
  // A key of its own, so that nothing else that the secret signs can be taken for a cursor.
  const key = createHmac("sha256", secret).update("vitrine cursor").digest();

  const macOf = (question: string, place: string) =>
    createHmac("sha256", key).update(`${question.length}.${question}.${place}`).digest().subarray(0, MAC_BYTES);

  function encode(question: string, place: Place): string {
    const text = JSON.stringify(place);
    return Buffer.concat([macOf(question, text), Buffer.from(text)]).toString("base64url");
  }

  /** Throws `Invalid` for what is no cursor of this question. */
  function decode(question: string, cursor: string): Place {
    const bytes = Buffer.from(cursor, "base64url");
    const text = bytes.subarray(MAC_BYTES).toString();
    const isGenuine = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(question, text));
    if (!isGenuine) throw invalid("cursor is not one that was given out for this request.");
    return JSON.parse(text);
  }

  return { encode, decode };
}
