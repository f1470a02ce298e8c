import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countEdits, findClosest } from "../../src/settings/closest-word.ts";

describe("edits between two words", () => {
  test.each([
    ["", "", 0],
    ["port", "port", 0],
    ["port", "prot", 1],
    ["port", "por", 1],
    ["port", "sport", 1],
    ["port", "part", 1],
    ["port", "", 4],
    ["kitten", "sitting", 3],
  ])("%p and %p: %d", (one, other, edits) => {
    expect(countEdits(one, other)).toBe(edits);
  });

  test("are symmetric, zero only for equal words, and at most the number of characters", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (one, other) => {
        const edits = countEdits(one, other);
        expect(edits).toBe(countEdits(other, one));
        expect(edits === 0).toBe(one === other);
        expect(edits).toBeLessThanOrEqual(Math.max(one.length, other.length));
        expect(edits).toBeGreaterThanOrEqual(Math.abs(one.length - other.length));
      }),
    );
  });
});

test("among no words, none is the closest", () => {
  expect(findClosest("port", [])).toBeUndefined();
});
