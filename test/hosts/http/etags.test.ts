import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchesEtag, respondRevalidated, weaken } from "../../../src/hosts/http/etags.ts";

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

describe("revalidated data", () => {
  const answer = (data: unknown, ifNoneMatch?: string) =>
    respondRevalidated(new Headers(ifNoneMatch === undefined ? {} : { "If-None-Match": ifNoneMatch }), data);

  test("has a tag that is equal for equal data alone", async () => {
    const first = answer({ counts: [1, 2] });
    expect([first.status, await first.json()]).toEqual([200, { counts: [1, 2] }]);
    expect(first.headers.get("content-type")).toBe("application/json");
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag");
    expect(etag).toMatch(/^W\/"[0-9a-z]+"$/);
    expect(answer({ counts: [1, 2] }).headers.get("etag")).toBe(etag);
    expect(answer({ counts: [2, 1] }).headers.get("etag")).not.toBe(etag);
  });

  test("is not sent again to clients that have it", async () => {
    const etag = answer({ a: 1 }).headers.get("etag") ?? "";
    for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = answer({ a: 1 }, known);
      expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, etag, ""]);
      expect(again.headers.get("cache-control")).toBe("private, no-cache");
    }
    expect(answer({ a: 2 }, etag).status).toBe(200);
    expect(answer({ a: 1 }, '"other"').status).toBe(200);
  });
});
