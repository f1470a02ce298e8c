import type { Cursors } from "../../../domain/model/cursors.ts";

/** Encodes the places of a list in cursors, each of which is valid for the same question only. */
export function createPlaces<Place>(cursors: Cursors<Place>, list: string) {
  const questionOf = (query: object) => JSON.stringify([list, query]);
  return {
    after: (query: object, cursor: string | undefined): Place | undefined =>
      cursor === undefined ? undefined : cursors.decode(questionOf(query), cursor),
    next: (query: object, place: Place | undefined): string | null =>
      place === undefined ? null : cursors.encode(questionOf(query), place),
  };
}
