import { describe, expect, test } from "bun:test";
import { placeNotes } from "../../src/look/changes/client/place-notes.ts";

const NONE = -1;
const notesAt = (...tops: number[]) => tops.map((top, id) => ({ id, top, height: 20 }));
const place = (notes: ReturnType<typeof notesAt>, current = NONE) => Object.fromEntries(placeNotes(notes, current));

describe("notes in the margin", () => {
  test.each([
    ["stand where they belong if there is room", notesAt(0, 24, 300), NONE, { 0: 0, 1: 24, 2: 300 }],
    ["are pushed down by those above them", notesAt(10, 12, 40, 300), NONE, { 0: 10, 1: 34, 2: 58, 3: 300 }],
    ["at one place keep the order of the changes", notesAt(50, 50, 50), NONE, { 0: 50, 1: 74, 2: 98 }],
    ["are ordered by their place, not by their number", notesAt(100, 10, 95), NONE, { 0: 119, 1: 10, 2: 95 }],
    ["keep the current one at its place", notesAt(50, 50, 50, 51), 2, { 0: 2, 1: 26, 2: 50, 3: 74 }],
    ["above the current one stay if there is room", notesAt(0, 190, 200), 2, { 0: 0, 1: 176, 2: 200 }],
    ["are pushed up no more than needed", notesAt(10, 20, 100), 2, { 0: 10, 1: 34, 2: 100 }],
  ])("%s", (_, notes, current, expected) => {
    expect(place(notes, current)).toEqual(expected);
  });

  test("never overlap, wherever they are and whichever is current", () => {
    const random = () => Math.floor(Math.random() * 400);
    for (let run = 0; run < 200; run++) {
      const notes = Array.from({ length: 12 }, (_, id) => ({ id, top: random(), height: 10 + (random() % 60) }));
      const current = random() % 13;
      const tops = placeNotes(notes, current);
      const sorted = notes.map(({ id, height }) => ({ top: tops.get(id) ?? Number.NaN, height }));
      sorted.sort((one, other) => one.top - other.top);
      for (const [index, { top }] of sorted.entries()) {
        const above = sorted[index - 1];
        if (above !== undefined) expect(top).toBeGreaterThanOrEqual(above.top + above.height);
      }
      if (notes[current] !== undefined) expect(tops.get(current)).toBe(notes[current].top);
    }
  });
});
