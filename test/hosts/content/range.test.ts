import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ByteRange, parseRange } from "../../../src/hosts/content/range.ts";

describe("a Range header", () => {
  test.each([
    ["bytes=0-0", 10, { start: 0, end: 1 }],
    ["bytes=2-4", 10, { start: 2, end: 5 }],
    ["bytes=2-", 10, { start: 2, end: 10 }],
    ["bytes=9-", 10, { start: 9, end: 10 }],
    ["bytes=2-99", 10, { start: 2, end: 10 }],
    ["bytes=-3", 10, { start: 7, end: 10 }],
    ["bytes=-10", 10, { start: 0, end: 10 }],
    ["bytes=-99", 10, { start: 0, end: 10 }],
    ["Bytes= 2-4 ", 10, { start: 2, end: 5 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=10-12", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=-5", 0, "unsatisfiable"],
    ["bytes=4-2", 10, undefined],
    ["bytes=0-1,3-4", 10, undefined],
    ["bytes=", 10, undefined],
    ["bytes=-", 10, undefined],
    ["bytes=a-b", 10, undefined],
    ["bytes=1.5-2", 10, undefined],
    ["bytes=--3", 10, undefined],
    ["lines=0-1", 10, undefined],
    ["", 10, undefined],
  ] as const)("%p of %d bytes", (header, size, expected) => {
    expect(parseRange(header, size)).toEqual(expected);
  });

  test("selects the bytes that RFC 9110 defines, for any numbers", () => {
    const number = fc.integer({ min: 0, max: 40 });
    fc.assert(
      fc.property(number, fc.option(number), fc.option(number), (size, first, last) => {
        fc.pre(first !== null || last !== null);
        expect(parseRange(`bytes=${first ?? ""}-${last ?? ""}`, size)).toEqual(expectedRange(size, first, last));
      }),
    );
  });

  test("never selects bytes outside the file, for any header", () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[-0-9, ]{0,40}$/));
    fc.assert(
      fc.property(header, fc.nat(), (text, size) => {
        const range = parseRange(text, size);
        if (range === undefined || range === "unsatisfiable") return;
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThan(range.start);
        expect(range.end).toBeLessThanOrEqual(size);
      }),
    );
  });
});

/** Lists the positions one by one, as the standard defines them. */
function expectedRange(
  size: number,
  first: number | null,
  last: number | null,
): ByteRange | "unsatisfiable" | undefined {
  if (first !== null && last !== null && last < first) return undefined;
  const wanted = Array.from({ length: size }, (_, position) => position).filter((position) => {
    if (first === null) return position >= size - (last ?? 0);
    return position >= first && (last === null || position <= last);
  });
  return wanted.length === 0 ? "unsatisfiable" : { start: wanted[0] ?? 0, end: (wanted.at(-1) ?? 0) + 1 };
}
