import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DamagedObject } from "../../../src/domain/model/objects.ts";
import { encodeCompressed, HEAD_BYTES, readCompressedIndex } from "../../../src/hosts/content/compressed.ts";
import { ENCODINGS } from "../../../src/hosts/http/encodings.ts";

const readerOf = (object: Uint8Array) => async (offset: number, length: number) =>
  object.subarray(offset, offset + length);

// The longest paths make an index that exceeds the first read.
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
  test("returns every form, and no other", async () => {
    await fc.assert(
      fc.asyncProperty(forms, async (made) => {
        const object = encodeCompressed(made);
        const index = await readCompressedIndex("key", readerOf(object));
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
    const index = await readCompressedIndex("key", readerOf(object));
    const [offset = 0, size = 0] = index?.[made[99]?.path ?? ""]?.gzip ?? [];
    expect([...object.subarray(offset, offset + size)]).toEqual([99]);
  });

  test("doesn't touch the program's prototypes", () => {
    encodeCompressed([{ path: "__proto__", encoding: "gzip", bytes: new Uint8Array(1) }]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("that is missing has no index", async () => {
    expect(await readCompressedIndex("key", async () => undefined)).toBeUndefined();
  });

  const text = (index: string) => {
    const json = new TextEncoder().encode(index);
    const object = new Uint8Array(4 + json.length);
    new DataView(object.buffer).setUint32(0, json.length);
    object.set(json, 4);
    return object;
  };

  test.each([
    ["empty", new Uint8Array()],
    ["truncated in its length", new Uint8Array(3)],
    ["truncated in its index", text('{"index.html":{"br":[0,1]}}').subarray(0, 12)],
    ["with an impossible length", new Uint8Array(16).fill(255)],
    ["with invalid JSON", text("[[")],
    ["without an index", text("[1]")],
    ["with an index of something else", text('{"index.html":{"br":"here"}}')],
    ["with an index of unknown encodings", text('{"index.html":{"lzma":[0,1]}}')],
  ])("%s is damaged", async (_, bytes) => {
    expect(await readCompressedIndex("key", readerOf(bytes)).catch((error) => error)).toBeInstanceOf(DamagedObject);
  });

  test("from before there were checksums is read", async () => {
    const index = await readCompressedIndex("key", readerOf(text('{"a.js":{"br":[0,7]}}')));
    expect(index?.["a.js"]?.br?.slice(1)).toEqual([7]);
  });
});
