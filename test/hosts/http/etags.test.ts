import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import fc from "fast-check";
import { ENCODINGS } from "../../../src/hosts/http/encodings.ts";
import { createRevalidation, matchesEtag, weaken } from "../../../src/hosts/http/etags.ts";

describe("an If-None-Match header", () => {
  const tag = fc.stringMatching(/^"[!#-+\--~]{0,20}"$/);
  const listed = fc.tuple(fc.boolean(), tag).map(([isWeak, text]) => (isWeak ? `W/${text}` : text));
  const separator = fc.constantFrom(",", ", ", " ,\t");

  test("matches a tag anywhere in a list, weak or strong", () => {
    fc.assert(
      fc.property(fc.array(listed), listed, fc.array(listed), separator, (before, ours, after, between) => {
        const header = [...before, ours, ...after].join(between);
        expect(matchesEtag(header, ours.replace(/^W\//, ""))).toBe(true);
      }),
    );
  });

  test("matches a weak tag as its strong form", () => {
    fc.assert(
      fc.property(fc.array(listed), tag, fc.array(listed), separator, (before, ours, after, between) => {
        const header = [...before, ours, ...after].join(between);
        expect(matchesEtag(header, weaken(ours))).toBe(true);
        expect(matchesEtag(header, weaken(weaken(ours)))).toBe(true);
      }),
    );
  });

  test("matches nothing else", () => {
    fc.assert(
      fc.property(fc.array(listed), tag, separator, (others, ours, between) => {
        fc.pre(!others.some((other) => other.replace(/^W\//, "") === ours));
        expect(matchesEtag(others.join(between), ours)).toBe(false);
      }),
    );
  });

  test.each(["*", " * "])("%p matches every tag", (header) => {
    expect(matchesEtag(header, '"a"')).toBe(true);
  });

  test.each(["", "a", '"a', 'w/"a"', '"*"', '"ab"'])("%p does not match", (header) => {
    expect(matchesEtag(header, '"a"')).toBe(false);
  });
});

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;

describe("revalidated data", () => {
  const respond = createRevalidation();
  const ask = (data: object, headers: Record<string, string> = {}) => respond(new Headers(headers), data, true);

  test("has a tag that is equal for equal data alone", async () => {
    const first = await ask({ counts: [1, 2] });
    expect([first.status, await first.json()]).toEqual([200, { counts: [1, 2] }]);
    expect(first.headers.get("content-type")).toBe("application/json");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag");
    expect(etag).toMatch(/^W\/"[0-9a-z]+"$/);
    expect((await ask({ counts: [1, 2] })).headers.get("etag")).toBe(etag);
    expect((await ask({ counts: [2, 1] })).headers.get("etag")).not.toBe(etag);
  });

  test("is not sent again to clients that have it", async () => {
    const etag = (await ask({ a: 1 })).headers.get("etag") ?? "";
    for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = await ask({ a: 1 }, { "If-None-Match": known });
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
      expect(again.headers.get("cache-control")).toBe("private, no-cache");
    }
    expect((await ask({ a: 2 }, { "If-None-Match": etag })).status).toBe(200);
    expect((await ask({ a: 1 }, { "If-None-Match": '"other"' })).status).toBe(200);
  });

  test("is the same in each coding, and compressed only where it may be", async () => {
    const data = { list: Array.from({ length: 9_000 }, (_, at) => `entry ${at}`) };
    const first = await ask(data, { "Accept-Encoding": "identity" });
    for (const encoding of ENCODINGS) {
      const accepted = { "Accept-Encoding": encoding };
      // The second is sent as it was kept.
      for (const response of [await ask(data, accepted), await ask(data, accepted)]) {
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(response.headers.get("etag")).toBe(first.headers.get("etag"));
        expect(JSON.parse(DECODERS[encoding](await response.bytes()).toString())).toEqual(data);
      }
      const plain = await respond(new Headers(accepted), data, false);
      expect([plain.headers.get("content-encoding"), await plain.json()]).toEqual([null, data]);
    }
  });

  test("is written once, however often it is asked for", async () => {
    let writings = 0;
    const data = { toJSON: () => ({ writings: ++writings }) };
    for (let turn = 0; turn < 3; turn++) expect(await (await ask(data)).json()).toEqual({ writings: 1 });
  });
});
