import { describe, expect, test } from "bun:test";
import { checkImage, decodeImage } from "../../../src/domain/thumbnails/image.ts";
import { pngOf, webpOf } from "./images.ts";

const LIMIT = 64 * 1024;

/** Returns a WebP file with another first chunk. */
function webpWith(chunk: string, content: readonly number[]): Buffer {
  const bytes = webpOf();
  bytes.write(chunk, 12, "latin1");
  bytes.set(content, 20);
  return bytes;
}

const lossless = (width: number, height: number) => {
  const sides = (width - 1) | ((height - 1) << 14);
  return webpWith("VP8L", [0x2f, ...[0, 8, 16, 24].map((shift) => (sides >>> shift) & 0xff)]);
};

const extended = (width: number, height: number, flags = 0) => {
  const side = (pixels: number) => [0, 8, 16].map((shift) => ((pixels - 1) >>> shift) & 0xff);
  return webpWith("VP8X", [flags, 0, 0, 0, ...side(width), ...side(height)]);
};

describe("a thumbnail", () => {
  test.each([
    ["WebP", webpOf({ width: 640, height: 400 }), "image/webp"],
    ["the largest sides", webpOf({ width: 1280, height: 1280 }), "image/webp"],
    ["the most bytes", webpOf({ length: LIMIT }), "image/webp"],
    ["lossless WebP", lossless(640, 400), "image/webp"],
    ["WebP with transparency", extended(640, 400, 0x10), "image/webp"],
    ["PNG", pngOf({ width: 640, height: 400 }), "image/png"],
  ] as const)("can be %s", (_, bytes, type) => {
    expect(checkImage(bytes)).toBe(type);
  });

  const cut = (bytes: Buffer, length: number) => bytes.subarray(0, length);
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>".padEnd(60))],
    ["GIF", Buffer.from("GIF89a".padEnd(60))],
    ["a truncated WebP", cut(webpOf(), 40)],
    ["a header alone", cut(webpOf(), 29)],
    ["a WebP with something after it", Buffer.concat([webpOf(), Buffer.from("<script>")])],
    ["a WebP of an unknown form", webpWith("ALPH", [])],
    ["a lossy WebP without a start code", webpWith("VP8 ", [0, 0, 0, 0, 0, 0])],
    ["a lossless WebP without its mark", webpWith("VP8L", [0])],
    ["an animation", extended(640, 400, 0x02)],
    ["a truncated PNG", cut(pngOf(), 60)],
    ["a PNG with something after it", Buffer.concat([pngOf(), Buffer.from("<script>")])],
  ])("can't be %s", (_, bytes) => {
    expect(() => checkImage(bytes)).toThrow("image isn't a WebP or PNG picture.");
  });

  test.each([
    ["too wide", webpOf({ width: 1281 }), "1281×1"],
    ["too high", pngOf({ height: 1281 }), "1×1281"],
    ["empty", webpOf({ width: 0 }), "0×1"],
    ["a bomb", pngOf({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }), "2147483647×2147483647"],
    ["a lossless bomb", lossless(16_384, 16_384), "16384×16384"],
  ])("can't be %s", (_, bytes, size) => {
    expect(() => checkImage(bytes)).toThrow(`image has ${size} pixels`);
  });

  test("can't have more bytes than the limit", () => {
    expect(() => checkImage(webpOf({ length: LIMIT + 1 }))).toThrow("image has 65537 bytes");
  });

  test("has to be exact base64", () => {
    expect(decodeImage(pngOf().toString("base64"))).toEqual(pngOf());
    for (const text of ["%", "AA", "AAA=\n", "AA-_", "data:image/png;base64,AAAA"]) {
      expect(() => decodeImage(text)).toThrow("image isn't valid base64.");
    }
  });
});
