import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseDuration } from "../../../src/domain/model/durations.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { isWellFormed, newToken } from "../../../src/domain/tokens/tokens.ts";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const tokenOf = (bytes: Uint8Array) => newToken({ bytes: () => bytes });
const token = secret.map(tokenOf);

describe("a token", () => {
  test("is vtr_ and 49 letters and digits, and well formed, for any bytes", () => {
    fc.assert(
      fc.property(token, (text) => {
        expect(text).toMatch(/^vtr_[0-9A-Za-z]{49}$/);
        expect(isWellFormed(text)).toBe(true);
      }),
      { examples: [[tokenOf(new Uint8Array(32))], [tokenOf(new Uint8Array(32).fill(255))]] },
    );
  });

  test("differs for other bytes", () => {
    fc.assert(fc.property(secret, secret, (a, b) => (Buffer.compare(a, b) === 0) === (tokenOf(a) === tokenOf(b))));
  });

  test("with any one character replaced is invalid", () => {
    fc.assert(
      fc.property(token, fc.nat(52), fc.constantFrom(...LETTERS, "_", "-", "é", " "), (text, index, letter) => {
        fc.pre(text[index] !== letter);
        expect(isWellFormed(text.slice(0, index) + letter + text.slice(index + 1))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test("with two neighboring characters swapped is invalid", () => {
    fc.assert(
      fc.property(token, fc.nat(51), (text, index) => {
        const [first = "", second = ""] = [text[index], text[index + 1]];
        fc.pre(first !== second);
        expect(isWellFormed(text.slice(0, index) + second + first + text.slice(index + 2))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  test("that is longer, shorter, in another case or any other text is invalid", () => {
    fc.assert(
      fc.property(token, fc.nat(52), (text, index) => {
        expect(isWellFormed(text.slice(0, index))).toBe(false);
        expect(isWellFormed(`${text}0`)).toBe(false);
        expect(isWellFormed(`${text}\n`)).toBe(false);
        expect(isWellFormed(` ${text}`)).toBe(false);
        expect(isWellFormed(text.toUpperCase())).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !isWellFormed(text)));
  });
});

describe("a duration", () => {
  test.each([
    ["1m", 60_000],
    ["30m", 1_800_000],
    ["12h", 43_200_000],
    ["90d", 7_776_000_000],
    ["99999d", 8_639_913_600_000],
  ])("%s is %i milliseconds", (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  test.each(["", "0d", "90", "d", "-1d", "1.5h", "90 d", "90D", "1w", "100000d", "1d1h", "90d\n"])(
    "%j is refused with valid examples",
    (text) => {
      expect(() => parseDuration(text)).toThrow(Failure);
      expect(() => parseDuration(text)).toThrow(/^expires must be a duration such as 90d, 12h or 30m/);
    },
  );
});
