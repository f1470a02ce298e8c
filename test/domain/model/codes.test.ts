import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { newCode, newId, newIds, randomText } from "../../../src/domain/model/codes.ts";
import { CODE_PATTERN, REPORT_NAME_PATTERN } from "../../../src/domain/model/names.ts";
import type { Random } from "../../../src/domain/model/ports.ts";
import { random } from "../../support/service.ts";

/** Returns a source of random bytes that are the same for the same seed. */
function seeded(seed: number): Random {
  let state = seed;
  const next = () => {
    // Mulberry32.
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return { bytes: (length) => Uint8Array.from({ length }, next) };
}

/** Returns these bytes, then those of another source. */
function beginningWith(bytes: readonly number[], rest: Random): Random {
  let given = 0;
  return { bytes: (length) => rest.bytes(length).map((byte) => bytes[given++] ?? byte) };
}

describe("a new code", () => {
  test("has 16 letters and digits, at least one in upper case, so it is never a report's name", () => {
    const source = fc
      .tuple(fc.array(fc.nat(255), { maxLength: 64 }), fc.integer())
      .map(([bytes, seed]) => beginningWith(bytes, seeded(seed)));
    fc.assert(
      fc.property(source, (chance) => {
        const code = newCode(chance);
        expect(code).toMatch(/^[0-9A-Za-z]{16}$/);
        expect(code).toMatch(/[A-Z]/);
        expect(code).toMatch(CODE_PATTERN);
        expect(code).not.toMatch(REPORT_NAME_PATTERN);
      }),
      { numRuns: 500 },
    );
  });

  test("is generated again if it has no upper-case letter", () => {
    // 0 stands for the digit 0.
    const code = newCode(beginningWith(Array(32).fill(0), seeded(1)));
    expect(code).not.toBe("0".repeat(16));
    expect(code).toMatch(CODE_PATTERN);
  });

  test("is different each time", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => newCode(random))).size).toBe(10_000);
  });
});

describe("the pattern of codes", () => {
  test.each([
    "",
    "0123456789abcdef",
    "A",
    "A".repeat(15),
    "A".repeat(17),
    "Ab-4567890123456",
    "Ä123456789abcdef",
    `${"A".repeat(16)}\n`,
  ])("refuses %j", (text) => {
    expect(text).not.toMatch(CODE_PATTERN);
  });

  test("matches no report's name", () => {
    const letter = fc.constantFrom(..."abzABZ019-");
    const text = fc.array(letter, { minLength: 1, maxLength: 20 }).map((letters) => letters.join(""));
    fc.assert(fc.property(text, (name) => !(CODE_PATTERN.test(name) && REPORT_NAME_PATTERN.test(name))));
  });
});

describe("random text", () => {
  test("has the requested length, with letters and digits", () => {
    fc.assert(
      fc.property(fc.nat(100), fc.integer(), (length, seed) => {
        const text = randomText(seeded(seed), length);
        expect(text).toMatch(/^[0-9A-Za-z]*$/);
        expect(text).toHaveLength(length);
      }),
    );
  });

  test("contains every letter equally often", () => {
    const counts = new Map<string, number>();
    for (const letter of randomText(seeded(7), 62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).toBe(62);
    // 1000 each on average, with a standard deviation of 32; without dropping bytes the first ones would have 1210.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(160);
  });
});

test("an id starts with its kind", () => {
  expect(newId(random, "fld")).toMatch(/^fld_[0-9A-Za-z]{16}$/);
  expect(newId(random, "fld")).not.toBe(newId(random, "fld"));
});

test("IDs for things that are added at once are distinct, in order and close to each other", () => {
  const ids = newIds(random, "trs", 5_000);
  expect(new Set(ids).size).toBe(5_000);
  expect(ids).toEqual(ids.toSorted());
  for (const id of ids) expect(id).toMatch(/^trs_[0-9A-Za-z]{16}$/);
  expect(new Set(ids.map((id) => id.slice(0, -3))).size).toBe(1);
  expect(newIds(random, "trs", 1)).not.toEqual(newIds(random, "trs", 1));
});
