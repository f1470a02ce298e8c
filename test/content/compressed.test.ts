import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { encodeCompressed, HEAD_BYTES, readCompressedIndex } from "../../src/hosts/content/compressed.ts";
import { ENCODINGS } from "../../src/hosts/content/encodings.ts";

const readerOf = (object: Uint8Array) => async (offset: number, length: number) =>
  object.subarray(offset, offset + length);

// The longest paths make an index that does not fit into the first read.
const path = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._-]{1,12}$/),
  fc.stringMatching(/^[A-Za-z0-9._-]{200,255}$/),
  fc.constantFrom("__proto__", "constructor", "hasOwnProperty"),
);
const form = fc.record({ path, encoding: fc.constantFrom(...ENCODINGS), bytes: fc.uint8Array() });
const forms = fc.uniqueArray(form, {
  selector: (made) => `${made.path} ${made.encoding}`,
  size: "large",
  maxLength: 300,
});

describe("an object of compressed forms", () => {
  test("gives every form back, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(forms, async (made) => {
        const object = encodeCompressed(made);
        const index = await readCompressedIndex(readerOf(object));
        const found = Object.entries(index ?? {}).flatMap(([foundPath, places]) =>
          Object.entries(places).map(([encoding, [offset, size]]) => ({
            path: foundPath,
            encoding,
            bytes: object.slice(offset, offset + size),
          })),
        );
        const inOrder = (list: readonly { path: string; encoding: string; bytes: Uint8Array }[]) =>
          list.map(({ bytes, ...names }) => JSON.stringify([names.path, names.encoding, [...bytes]])).sort();
        expect(inOrder(found)).toEqual(inOrder(made));
      }),
      { numRuns: 50 },
    );
  });

  test("has an index of any length", async () => {
    const made = Array.from({ length: 100 }, (_, number) => ({
      path: `${"long".repeat(60)}${number}.js`,
      encoding: "gzip" as const,
      bytes: new Uint8Array([number]),
    }));
    const object = encodeCompressed(made);
    expect(object.length).toBeGreaterThan(HEAD_BYTES);
    const index = await readCompressedIndex(readerOf(object));
    const [offset = 0, size = 0] = index?.[made[99]?.path ?? ""]?.gzip ?? [];
    expect([...object.subarray(offset, offset + size)]).toEqual([99]);
  });

  test("leaves the prototypes of the program alone", () => {
    encodeCompressed([{ path: "__proto__", encoding: "gzip", bytes: new Uint8Array(1) }]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test.each([
    ["missing", undefined],
    ["empty", new Uint8Array()],
    ["cut short", new Uint8Array(3)],
  ])("that is %s has no index", async (_, bytes) => {
    expect(await readCompressedIndex(async () => bytes)).toBeUndefined();
  });
});
