import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Budget } from "../../src/html/budget.ts";
import { findCssReferences } from "../../src/html/css.ts";
import { expectLinear } from "../support/timing.ts";

function referencesOf(css: string): string[] {
  const urls: string[] = [];
  findCssReferences(css, ({ url }) => urls.push(url), new Budget());
  return urls;
}

describe("references in CSS", () => {
  test.each<[string, string[]]>([
    ["a { background: url(a.png) }", ["a.png"]],
    ["a { background: URL( \n'a b.png' ) }", ["a b.png"]],
    ['src: url("a.eot?#iefix") format("eot"), url(b.woff2)', ["a.eot?#iefix", "b.woff2"]],
    ["url(a),url(b)url(c)", ["a", "b", "c"]],
    ["@import \"a.css\" screen; @IMPORT/**/'b.css';@import url(c.css);", ["a.css", "b.css", "c.css"]],
    ["@import foo; @important 'a'", []],
    ["/* url(a) @import 'b' */ url(c)", ["c"]],
    ["/* url(a)", []],
    ['content: \'url(a)\' "url(b) \\" url(c)" url(d)', ["d"]],
    ["content: 'cut off\n url(a)", ["a"]],
    ["content: 'two \\\n lines url(a)' url(b)", ["b"]],
    ["content: 'two \\\r\n lines url(a)' url(b)", ["b"]],
    [".a\\'b { background: url(c) } /* ' */", ["c"]],
    ["curl(a) my-url(b) \\url(c)", []],
    ["url(a\\)b\\ c)", ["a)b c"]],
    ["url('a\\62 c\\\nd\\0')", ["abcd\uFFFD"]],
    ["url(\\1F600.png)", ["😀.png"]],
    ["url(\\110000\\D800)", ["\uFFFD\uFFFD"]],
    ["url(a b) url(a'b) url(c)", ["c"]],
    ["url('a\nb) url(c)", ["c"]],
    ["url(/*a*/b)", ["/*a*/b"]],
    ["url()", [""]],
    ["url(a", ["a"]],
    ["url('a", ["a"]],
    ["url(", [""]],
    [`url(data:${"A".repeat(10_000)}) url(b)`, ["b"]],
    ["", []],
  ])("%j", (css, urls) => {
    expect(referencesOf(css)).toEqual(urls);
  });

  test.each(["url(", "url( ", 'url("', "url('\\", "@import", "@import/**/", "/*", "'\n", "\\", "\\a", " ", "url(a)"])(
    "two megabytes of %j are read in linear time",
    (unit) => {
      expectLinear((share) => {
        const css = Buffer.from(`${unit.repeat((share * 2_000_000) / unit.length)}url(`).toString();
        return () => referencesOf(css);
      });
    },
  );

  test("any file name is read back from a quoted url", () => {
    const name = fc.string({ maxLength: 100 }).filter((text) => !/[\\'\n\f\r]/.test(text));
    fc.assert(fc.property(name, (text) => expect(referencesOf(`a{b:url('${text}')}`)).toEqual([text])));
  });

  test("no text throws", () => {
    const token = fc.constantFrom("url(", ")", "'", '"', "\\", "/*", "*/", "@import", "\n", "a", "\\d800");
    fc.assert(fc.property(fc.array(token), (tokens) => void referencesOf(`${tokens.join("")}url(`)));
  });
});
