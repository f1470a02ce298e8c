import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  foldText,
  gramKey,
  gramsOf,
  gramsOfWord,
  mayBeInCode,
  sortText,
  wordsOf,
} from "../../../src/domain/search/search-text.ts";

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(..."aA1ßẞöÖİıIiΣσςЖж報告ﾚ-_ %😀"), maxLength: 40 }),
);

describe("folding", () => {
  test.each([
    ["ß", "ss"],
    ["Straße", "STRASSE"],
    ["Größe", "GRÖSSE"],
    ["İstanbul", "istanbul"],
    ["ISTANBUL", "ıstanbul"],
    ["ΟΔΟΣ", "οδος"],
    ["σς", "ΣΣ"],
    ["Москва", "МОСКВА"],
    ["é", "E\u0301"],
    ["ＡＢＣ", "abc"],
    ["ﬁ", "FI"],
    ["ﾚﾎﾟｰﾄ", "レポート"],
  ])("%p equals %p", (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  test.each([
    ["o", "ö"],
    ["a", "b"],
    ["報", "告"],
    ["%", "_"],
  ])("%p differs from %p", (one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  test("folding twice equals folding once, and case does not matter", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
        expect(foldText(text.toUpperCase())).toBe(folded);
      }),
    );
  });

  test("sorting puts a letter with a diacritic next to the one without", () => {
    expect(
      ["Zebra", "Österreich", "Oslo", "übung", "Uhr"].toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1)),
    ).toEqual(["Oslo", "Österreich", "übung", "Uhr", "Zebra"]);
  });
});

describe("search grams", () => {
  test("a text contains all grams of any part of it", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat({ max: 8 }), (text, start, length) => {
        const folded = foldText(text);
        const grams = new Set(gramsOf(folded));
        for (const word of wordsOf(folded)) {
          const letters = [...word];
          const from = start % letters.length;
          const part = letters.slice(from, from + Math.max(1, length)).join("");
          expect(gramsOfWord(part).filter((gram) => !grams.has(gram))).toEqual([]);
        }
      }),
    );
  });

  test("short ones are kept where they are significant", () => {
    expect(gramsOf("ab c")).toEqual(["ab"]);
    expect(gramsOf("abc1").sort()).toEqual(["ab", "abc", "bc", "bc1", "c1"]);
    expect(gramsOf("a-b").sort()).toEqual(["-", "-b", "a-", "a-b"]);
    expect(gramsOf("報告").sort()).toEqual(["告", "報", "報告"]);
    expect(gramsOfWord("a")).toEqual([]);
    expect(gramsOfWord("ab")).toEqual(["ab"]);
    expect(gramsOfWord("報")).toEqual(["報"]);
    expect(gramsOfWord("😀")).toEqual(["😀"]);
  });

  test("their numbers fit any database, and are evenly distributed", () => {
    const keys = new Set<number>();
    for (let number = 0; number < 20_000; number++) {
      const key = gramKey("wsp_7Kd0aQ2mXw9LbT4e", number.toString(36).padStart(3, "0"));
      expect(key).toBeGreaterThanOrEqual(0);
      expect(key).toBeLessThan(2 ** 31);
      keys.add(key);
    }
    expect(keys.size).toBeGreaterThan(19_990);
  });

  test("grams of codes have letters and digits only", () => {
    expect(["abc", "7kd0aq2mxw9lbt4e", "a-b", "ö", "7kd0aq2mxw9lbt4e1", ""].map(mayBeInCode)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

test("a query's words are folded, without duplicates", () => {
  expect(wordsOf("  Sales\tsales\u3000SALES 2026\n")).toEqual(["sales", "2026"]);
  expect(wordsOf("")).toEqual([]);
});
