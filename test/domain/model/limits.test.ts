import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { countCharacters, cutCharacters } from "../../../src/domain/model/limits.ts";

const text = fc.string({ unit: "binary", maxLength: 60 });

describe("characters", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 2],
    ["\u{1f600}", 1],
    ["👩‍👩‍👧", 5],
    ["\ud800", 1],
  ])("%j has %i", (value, count) => {
    expect(countCharacters(value)).toBe(count);
  });

  test("are counted as code points", () => {
    fc.assert(fc.property(text, (value) => countCharacters(value) === Array.from(value).length));
  });

  test("are cut only between code points", () => {
    fc.assert(
      fc.property(text, fc.nat(70), (value, limit) => {
        const cut = cutCharacters(value, limit);
        expect(Array.from(cut)).toEqual(Array.from(value).slice(0, limit));
        expect(cut.isWellFormed()).toBe(value.isWellFormed());
      }),
    );
  });

  test("are not cut if there are no more than the limit", () => {
    fc.assert(fc.property(text, (value) => cutCharacters(value, countCharacters(value)) === value));
  });
});
