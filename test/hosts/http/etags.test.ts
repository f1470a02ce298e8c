import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { matchesEtag, weaken } from "../../../src/hosts/http/etags.ts";

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
