import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  acceptedEncodings,
  createEncodingReader,
  ENCODINGS,
  type Encoding,
} from "../../../src/hosts/http/encodings.ts";

const quality = fc.constantFrom(
  "",
  ";q=1",
  ";q=1.000",
  ";q=0.5",
  "; q=0.001",
  ";Q=0.8",
  ";q=0",
  " ; q=0.000",
  ";q=0.0",
);
/** Returns the quality of a parameter as written above; 0 if the coding isn't named. */
const qualityIn = (parameter: string | undefined) =>
  parameter === undefined ? 0 : Number(/=(.*)/.exec(parameter)?.[1] ?? 1);
const coding = fc.constantFrom("gzip", "br", "zstd", "*", "identity", "deflate", "compress");
const accepted = fc.uniqueArray(fc.tuple(coding, quality), { selector: ([name]) => name });
const inAnyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => [...text].map((letter, position) => (upper[position] ? letter.toUpperCase() : letter)).join(""));

describe("an Accept-Encoding header", () => {
  test.each([
    ["gzip", ["gzip"]],
    ["x-gzip", ["gzip"]],
    ["gzip, deflate, br, zstd", ["zstd", "br", "gzip"]],
    ["br;q=1.0, gzip;q=0.8, *;q=0.1", ["br"]],
    ["gzip;q=0.5, br;q=0.8, zstd;q=0.8", ["zstd", "br"]],
    ["gzip;q=0.5, *;q=0.8", ["zstd", "br"]],
    ["*;q=0.5, gzip;q=0.5", ["zstd", "br", "gzip"]],
    ["gzip, identity", ["gzip"]],
    ["gzip;q=0.5, identity;q=0.5", ["gzip"]],
    ["gzip;q=0.5, identity", []],
    ["br;q=0.2, identity;q=0.1", ["br"]],
    ["*", ["zstd", "br", "gzip"]],
    ["*, br;q=0", ["zstd", "gzip"]],
    ["*;q=0, br", ["br"]],
    ["identity", []],
    ["identity;q=0", []],
    ["gzip;q=0", []],
    ["gzip;q=high", []],
    ["gzip;q=-1", []],
    ["gzipped", []],
    ["deflate", []],
    ["", []],
    [",,", []],
  ] as const)("%p accepts %p", (header, expected) => {
    expect(acceptedEncodings(header)).toEqual([...expected]);
  });

  test("accepts what it names with the highest quality, and with * what it doesn't name", () => {
    const header = accepted.chain((list) =>
      fc.tuple(fc.constant(new Map(list)), inAnyCase(list.map(([name, parameter]) => name + parameter).join(" , "))),
    );
    fc.assert(
      fc.property(header, ([wanted, text]) => {
        const quality = (encoding: Encoding) => qualityIn(wanted.get(encoding) ?? wanted.get("*"));
        const isBest = (encoding: Encoding) =>
          quality(encoding) > 0 &&
          quality(encoding) >= qualityIn(wanted.get("identity")) &&
          ENCODINGS.every((other) => quality(other) <= quality(encoding));
        expect(acceptedEncodings(text)).toEqual(ENCODINGS.filter(isBest));
      }),
    );
  });

  test("is read without an error, whatever its content", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(ENCODINGS).toEqual(expect.arrayContaining(acceptedEncodings(text)));
      }),
    );
  });

  test("is read the same a second time, also after many others", () => {
    const readEncodings = createEncodingReader();
    const headers = Array.from({ length: 450 }, (_, number) => `${ENCODINGS[number % 3]}, made-up-${number}`);
    for (const header of [...headers, ...headers.slice(-100)]) {
      expect(readEncodings(header)).toEqual(acceptedEncodings(header));
    }
  });
});
