import { beforeAll, describe, expect, test } from "bun:test";
import { noise, publishFiles, read, stableHeaders } from "../../support/content.ts";
import { useService } from "../../support/service.ts";

const MEBIBYTE = 1024 * 1024;
/** One that is cached in memory, one that is always streamed, one that is compressed. */
const FILES: Readonly<Record<string, Buffer>> = {
  "small.bin": noise(1000),
  "large.bin": noise(3 * MEBIBYTE),
  "text.js": Buffer.from("export const value = 'text';\n".repeat(2000)),
};

describe("conditions and ranges", () => {
  const service = useService();
  let code: string;

  beforeAll(async () => {
    const { token } = await service.build.user();
    code = await publishFiles(service, token, { ...FILES, "empty.txt": "" });
  });

  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    read(service, `/${code}/${path}`, headers, method);
  const etagOf = async (path: string) => (await get(path)).headers.get("etag") ?? "";

  describe.each(Object.entries(FILES))("for %s", (path, bytes) => {
    test("the entity tag is strong and stable", async () => {
      const etag = await etagOf(path);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect(await etagOf(path)).toBe(etag);
    });

    const matching: [name: string, (etag: string) => string][] = [
      ["itself", (etag) => etag],
      ["its weak form", (etag) => `W/${etag}`],
      ["a list that contains it", (etag) => `"other", W/"more",${etag}`],
      ["*", () => "*"],
    ];
    test.each(matching)("If-None-Match with %s: 304 with the headers of 200 and no body", async (_, condition) => {
      const whole = await get(path);
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, body } = await get(path, { "If-None-Match": condition(await etagOf(path)) }, method);
        expect(status).toBe(304);
        expect(body.length).toBe(0);
        const { "content-length": _length, ...expected } = stableHeaders(whole.headers);
        const { "content-length": _none, ...found } = stableHeaders(headers);
        expect(found).toEqual(expected);
      }
    });

    const other: [name: string, (etag: string) => string][] = [
      ["another tag", () => '"other"'],
      ["a part of it", (etag) => `${etag.slice(0, -2)}"`],
      ["the tag without quotes", (etag) => etag.slice(1, -1)],
      ["an empty value", () => ""],
    ];
    test.each(other)("If-None-Match with %s: the complete file", async (_, condition) => {
      const { status, body } = await get(path, { "If-None-Match": condition(await etagOf(path)) });
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
    });

    const size = bytes.length;
    const ranges: [header: string, start: number, end: number][] = [
      ["bytes=0-0", 0, 1],
      ["bytes=10-99", 10, 100],
      [`bytes=${size - 5}-`, size - 5, size],
      ["bytes=0-", 0, size],
      [`bytes=900-${size * 2}`, 900, size],
      ["bytes=-7", size - 7, size],
      [`bytes=-${size + 1}`, 0, size],
    ];
    test.each(ranges)("Range %s: 206 with exactly these bytes", async (range, start, end) => {
      const { status, headers, body } = await get(path, { Range: range, "Accept-Encoding": "gzip, br, zstd" });
      expect(status).toBe(206);
      expect(headers.get("content-range")).toBe(`bytes ${start}-${end - 1}/${size}`);
      expect(headers.get("content-length")).toBe(String(end - start));
      expect(headers.get("content-encoding")).toBeNull();
      expect(headers.get("etag")).toBe(await etagOf(path));
      expect(body.equals(bytes.subarray(start, end))).toBe(true);
    });

    test.each([`bytes=${size}-`, `bytes=${size}-${size + 5}`, "bytes=-0"])("Range %s: 416", async (range) => {
      const { status, headers, body } = await get(path, { Range: range });
      expect(status).toBe(416);
      expect(headers.get("content-range")).toBe(`bytes */${size}`);
      expect(headers.get("content-security-policy")).toStartWith("sandbox");
      expect(body.length).toBe(0);
    });

    test.each(["bytes=0-1,5-6", "bytes=5-2", "bytes=x-", "items=0-1", "bytes"])(
      "Range %s: the complete file",
      async (range) => {
        const { status, headers, body } = await get(path, { Range: range });
        expect(status).toBe(200);
        expect(headers.get("content-range")).toBeNull();
        expect(body.equals(bytes)).toBe(true);
      },
    );

    test("If-Range with the tag: 206", async () => {
      const { status, body } = await get(path, { Range: "bytes=2-5", "If-Range": await etagOf(path) });
      expect(status).toBe(206);
      expect(body.equals(bytes.subarray(2, 6))).toBe(true);
    });

    const changed: [name: string, (etag: string) => string][] = [
      ["another tag", () => '"other"'],
      ["its weak form", (etag) => `W/${etag}`],
      ["a date", () => new Date().toUTCString()],
    ];
    test.each(changed)("If-Range with %s: the complete file", async (_, condition) => {
      const headers = { Range: "bytes=2-5", "If-Range": condition(await etagOf(path)) };
      const { status, body } = await get(path, headers);
      expect(status).toBe(200);
      expect(body.equals(bytes)).toBe(true);
    });

    test("If-None-Match takes precedence over Range", async () => {
      const { status } = await get(path, { Range: "bytes=2-5", "If-None-Match": await etagOf(path) });
      expect(status).toBe(304);
    });

    test("HEAD ignores ranges", async () => {
      const { status, headers } = await get(path, { Range: "bytes=2-5" }, "HEAD");
      expect(status).toBe(200);
      expect(headers.get("content-length")).toBe(String(size));
    });
  });

  test("an empty file has no ranges", async () => {
    const { status, headers } = await get("empty.txt", { Range: "bytes=0-" });
    expect(status).toBe(416);
    expect(headers.get("content-range")).toBe("bytes */0");
  });

  test("a file of 3 MB is complete when read in parts", async () => {
    const bytes = FILES["large.bin"] ?? Buffer.alloc(0);
    const step = 700_000;
    const starts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, part) => part * step);
    const parts = await Promise.all(
      starts.map((start) => get("large.bin", { Range: `bytes=${start}-${start + step - 1}` })),
    );
    expect(Buffer.concat(parts.map(({ body }) => body)).equals(bytes)).toBe(true);
  });

  test("equal bytes have equal tags, others have different ones", async () => {
    const { token } = await service.build.user();
    const other = await publishFiles(service, token, { "a.bin": FILES["small.bin"] ?? "", "b.bin": noise(999) });
    const tagIn = async (path: string) => (await read(service, path)).headers.get("etag");
    expect(await tagIn(`/${other}/a.bin`)).toBe(await etagOf("small.bin"));
    expect(await tagIn(`/${other}/b.bin`)).not.toBe(await etagOf("small.bin"));
  });
});
