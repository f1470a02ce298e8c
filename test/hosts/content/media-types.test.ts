import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isCompressible, mediaTypeOf } from "../../../src/hosts/http/media-types.ts";
import { MEDIA_TYPES } from "./media-type-names.ts";

describe("a file's media type", () => {
  test.each(Object.entries(MEDIA_TYPES))("%s has %s", (path, type) => {
    expect(mediaTypeOf(path)).toBe(type);
  });

  test("doesn't depend on the case of the extension", () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(MEDIA_TYPES)), (path) => {
        expect(mediaTypeOf(path.toUpperCase())).toBe(mediaTypeOf(path));
      }),
    );
  });

  test("always exists, for any name", () => {
    const extension = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9._-]{0,12}$/),
      fc.constantFrom("constructor", "__proto__", "valueOf", "toString", "hasOwnProperty"),
    );
    fc.assert(
      fc.property(extension, (text) => {
        expect(mediaTypeOf(`file.${text}`)).toMatch(/^[a-z]+\/[a-z0-9.+-]+(;charset=utf-8)?$/);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["app.js", true],
    ["data.json", true],
    ["image.svg", true],
    ["module.wasm", true],
    ["font.ttf", true],
    ["image.png", false],
    ["font.woff2", false],
    ["film.mp4", false],
    ["all.zip", false],
    ["LICENSE", false],
  ])("%s is worth compressing: %p", (path, expected) => {
    expect(isCompressible(path)).toBe(expected);
  });
});
