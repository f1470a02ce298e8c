import { beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Got, noise, publishFiles, read, readRaw, stableHeaders, until } from "../../support/content.ts";
import { useService } from "../../support/service.ts";

const MEBIBYTE = 1024 * 1024;
const FILES: Readonly<Record<string, Buffer>> = {
  "index.html": Buffer.from(`\ufeff<!doctype html><title>T</title>\r\n${"<p>Für alle</p>\r\n".repeat(500)}`),
  "text.js": Buffer.from("export const value = 'text';\n".repeat(2000)),
  "not-utf8.css": Buffer.concat([Buffer.from("a{}".repeat(500)), Buffer.from([0xff, 0xe9])]),
  // Exceeds the memory cache, compressed or not.
  "large.json": Buffer.from(JSON.stringify(noise(2.2 * MEBIBYTE).toString("hex"))),
};
/** Text that is too short or too dense to benefit, and compressed formats. */
const NEVER_COMPRESSED: Readonly<Record<string, Buffer>> = {
  "short.txt": Buffer.from("short"),
  "dense.txt": noise(5000),
  "image.png": Buffer.alloc(5000),
};
const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const ENCODINGS = ["zstd", "br", "gzip"] as const;

function decoded({ headers, body }: Got): Buffer {
  const encoding = ENCODINGS.find((known) => known === headers.get("content-encoding"));
  return encoding === undefined ? body : DECODERS[encoding](body);
}

describe("Accept-Encoding", () => {
  const service = useService();
  let code: string;

  const get = (path: string, acceptEncoding: string, headers: Record<string, string> = {}, method = "GET") =>
    read(service, `/${code}/${path}`, { "Accept-Encoding": acceptEncoding, ...headers }, method);

  /** Waits for compression, which only starts after the publish has been answered. */
  const isCompressed = async () => {
    const { headers } = await get("text.js", "gzip");
    return headers.has("content-encoding") || undefined;
  };

  beforeAll(async () => {
    const { token } = await service.build.user();
    code = await publishFiles(service, token, { ...FILES, ...NEVER_COMPRESSED });
    const [early] = await Promise.all([get("text.js", "gzip, br, zstd"), until(isCompressed)]);
    // The first reader got the right file, in any form.
    expect(decoded(early).equals(FILES["text.js"] ?? Buffer.alloc(0))).toBe(true);
  });

  describe.each(Object.entries(FILES))("for %s", (path, uploaded) => {
    test.each(ENCODINGS)("%s alone is served, smaller, and the same when decoded", async (encoding) => {
      for (const _ of ["from the store", "from memory"]) {
        const got = await get(path, encoding);
        expect(got.status).toBe(200);
        expect(got.headers.get("content-encoding")).toBe(encoding);
        expect(got.headers.get("vary")).toBe("Accept-Encoding");
        expect(got.headers.get("content-length")).toBe(String(got.body.length));
        expect(got.body.length).toBeLessThan(uploaded.length);
        expect(decoded(got).equals(uploaded)).toBe(true);
      }
    });

    test.each([
      ["gzip, deflate, br, zstd", ["zstd", "br", "gzip"]],
      ["gzip;q=0.2, br;q=0.1", ["gzip"]],
      ["gzip;q=0.5, br;q=0.7, zstd;q=0.6", ["br"]],
      ["GZIP", ["gzip"]],
      ["*", ["zstd", "br", "gzip"]],
      ["*;q=0.5, br;q=0", ["zstd", "gzip"]],
      ["br;q=0, zstd;q=0.000, gzip", ["gzip"]],
      ["identity;q=0, gzip", ["gzip"]],
    ])("%s gets one of %p", async (header, encodings) => {
      const got = await get(path, header);
      expect(encodings).toContain(got.headers.get("content-encoding") ?? "none");
      expect(decoded(got).equals(uploaded)).toBe(true);
    });

    test.each([
      "identity",
      "identity, gzip;q=0.9",
      "deflate",
      "gzip;q=0",
      "*;q=0",
      "gzip;q=0, br;q=0, zstd;q=0, *",
      "nonsense",
      ",;,=",
      "",
    ])("%p gets the bytes uncompressed", async (header) => {
      const got = await get(path, header);
      expect(got.status).toBe(200);
      expect(got.headers.get("content-encoding")).toBeNull();
      expect(got.headers.get("vary")).toBe("Accept-Encoding");
      expect(got.body.equals(uploaded)).toBe(true);
    });

    test("no such header gets the bytes uncompressed", async () => {
      const got = await readRaw(service, `/${code}/${path}`);
      expect(got.headers.get("content-encoding")).toBeNull();
      expect(got.body.equals(uploaded)).toBe(true);
    });

    test("each form has a different strong entity tag", async () => {
      const forms = await Promise.all(["identity", ...ENCODINGS].map((encoding) => get(path, encoding)));
      const tags = forms.map(({ headers }) => headers.get("etag") ?? "");
      expect(new Set(tags).size).toBe(4);
      for (const tag of tags) expect(tag).toMatch(/^"[^"]+"$/);
    });

    test.each(ENCODINGS)("the tag of the %s form: 304 for this form only", async (encoding) => {
      const whole = await get(path, encoding);
      const condition = { "If-None-Match": whole.headers.get("etag") ?? "" };
      const unchanged = await get(path, encoding, condition);
      expect(unchanged.status).toBe(304);
      expect(unchanged.headers.get("etag")).toBe(whole.headers.get("etag"));
      expect(unchanged.headers.get("vary")).toBe("Accept-Encoding");
      expect(unchanged.body.length).toBe(0);
      const plain = await get(path, "identity", condition);
      expect(plain.status).toBe(200);
      expect(plain.body.equals(uploaded)).toBe(true);
    });

    test.each(ENCODINGS)("HEAD returns the length of the %s form", async (encoding) => {
      const got = await get(path, encoding);
      const head = await get(path, encoding, {}, "HEAD");
      expect(stableHeaders(head.headers)).toEqual(stableHeaders(got.headers));
      expect(head.body.length).toBe(0);
    });
  });

  test.each(Object.entries(NEVER_COMPRESSED))("%s is never compressed", async (path, uploaded) => {
    const { headers, body } = await get(path, "gzip, br, zstd");
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("vary")).toBe(path.endsWith(".txt") ? "Accept-Encoding" : null);
    expect(body.equals(uploaded)).toBe(true);
  });

  test("a private report's forms are served to its owner, and not cacheable", async () => {
    const { token } = await service.build.user();
    const text = FILES["text.js"] ?? "";
    const secret = await publishFiles(service, token, { "text.js": text }, { visibility: "private" });
    const headers = { Authorization: `Bearer ${token}`, "Accept-Encoding": "br" };
    const got = await until(async () => {
      const answer = await read(service, `/${secret}/text.js`, headers);
      return answer.headers.has("content-encoding") ? answer : undefined;
    });
    expect(got.headers.get("vary")).toBe("Accept-Encoding, Authorization");
    expect(got.headers.get("cache-control")).toBe("private, no-store");
    expect(decoded(got).toString()).toBe(text.toString());
    expect((await read(service, `/${secret}/text.js`, { "Accept-Encoding": "br" })).status).toBe(404);
  });
});
