/** Encodes places in lists as opaque cursors for clients. A cursor is valid for one question only. */
export interface Cursors<Place> {
  encode(question: string, place: Place): string;
  /** Returns the place of a cursor. Throws `Invalid` unless `encode` created the cursor for this question. */
  decode(question: string, cursor: string): Place;
}
