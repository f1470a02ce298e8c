/** Opaque places in lists, as callers hold them between two requests. A cursor answers one question only. */
export interface Cursors<Place> {
  encode(question: string, place: Place): string;
  /** Throws `Invalid` unless the cursor was given out for this question. */
  decode(question: string, cursor: string): Place;
}
