import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Budget } from "../../src/html/budget.ts";
import { type DocumentVisitor, type FoundElement, readDocument } from "../../src/html/document.ts";
import { srcsetUrls } from "../../src/html/srcset.ts";
import { expectLinear } from "../support/timing.ts";

const UNBOUNDED = () => new Budget({ maxSteps: Number.POSITIVE_INFINITY });
const SILENT: DocumentVisitor = { title() {}, element() {}, formEnd() {}, style() {}, script() {}, handler() {} };
const URLS: ReadonlySet<string> = new Set(["src", "poster", "xlink:href", "href", "data"]);

/** Returns the scanner's calls, one line each. */
function scan(html: string): string[] {
  const calls: string[] = [];
  const visitor: DocumentVisitor = {
    ...SILENT,
    title: (text) => calls.push(`title ${text}`),
    element: (element) => calls.push(...linesOf(element)),
    style: (css) => calls.push(`style ${css}`),
    script: (source, kind) => calls.push(`${kind} ${source}`),
    handler: (source) => calls.push(`handler ${source}`),
  };
  readDocument(html, visitor, UNBOUNDED());
  return calls;
}

function linesOf({ role, attributes }: FoundElement): string[] {
  const lines = [...attributes].flatMap(([name, { text }]) => {
    if (name === "srcset" || name === "imagesrcset") return Array.from(srcsetUrls(text), ({ url }) => url);
    if (name === "style") return text.includes("(") ? [`style ${text}`] : [];
    return URLS.has(name) ? [text] : [];
  });
  return role === "base" ? ["base", ...lines] : lines;
}

describe("attributes that contain references", () => {
  test.each<[string, string[]]>([
    ["<script src=a.js></script>", ["a.js"]],
    ['<link rel=stylesheet href="a.css" imagesrcset="b 1x, c 2x">', ["a.css", "b", "c"]],
    ["<a href=a><area href=b></a>", ["a", "b"]],
    ["<svg><image href=a /><use xlink:href=b /><feImage href=c /></svg>", ["a", "b", "c"]],
    ["<video poster=a src=b><source src=c><track src=d></video>", ["b", "a", "c", "d"].sort()],
    ["<object data=a></object><p data=b>", ["a"]],
    ["<iframe src=a></iframe><embed src=b><input type=image src=c>", ["a", "b", "c"]],
    ["<img srcset='a, b 2x,c 100w,, data:x,y 3x' src=d>", ["a", "b", "c", "data:x,y", "d"]],
    ["<p href=a srcset=b data-src=c action=d cite=e>", []],
    ["<form action=a><button formaction=b>", []],
    ['<p style="background: url(a.png)"><p style="color: red">', ["style background: url(a.png)"]],
    ["<p style='background: url(&quot;a.png&quot;)'>", ['style background: url("a.png")']],
  ])("%j", (html, calls) => {
    expect(scan(html).sort()).toEqual([...calls].sort());
  });
});

describe("tags are read as a browser reads them", () => {
  test.each<[string, string[]]>([
    ["<A\nHREF = 'a b'\t>", ["a b"]],
    ["<a/href=a/b>", ["a/b"]],
    ["<a title='>' href=\"a'\">", ["a'"]],
    ["<a href=a href=b>", ["a"]],
    ["<a href href=b>", [""]],
    ["<a href=>", [""]],
    ["<a =href=b href=c>", ["c"]],
    ["<a href=a?b=1&amp;c=2&copy=3>", ["a?b=1&c=2&copy=3"]],
    ["<ab href=a><2 href=b><a\0 href=c>", []],
    ["a < b <a href=c>", ["c"]],
    ['<a title="<a href=b>" href=\'c', []],
    ["</p title='<a href=b>'><a href=c>", ["c"]],
    ["</><a href=b></ <a href=c>", ["b"]],
    ["<?php <a href=b> ?><a href=c>", ["c"]],
    ["<!doctype html><!x <a href=b><a href=c>", ["c"]],
  ])("%j", (html, calls) => {
    expect(scan(html)).toEqual(calls);
  });
});

describe("elements", () => {
  function told(html: string) {
    const elements: FoundElement[] = [];
    readDocument(html, { ...SILENT, element: (element) => elements.push(element) }, UNBOUNDED());
    return elements.map(({ role, at, attributes }) => [
      role,
      at,
      Object.fromEntries(Array.from(attributes, ([name, value]) => [name, { text: value.text, at: value.at }])),
    ]);
  }

  test("are reported with the relevant attributes, in any order", () => {
    expect(told("<a target=x href=a><a b=c><use xlink:href=c><img src=d>")).toEqual([
      ["link", 0, { target: { text: "x", at: 10 }, href: { text: "a", at: 17 } }],
      ["shape", 26, { "xlink:href": { text: "c", at: 42 } }],
      ["image", 44, { src: { text: "d", at: 53 } }],
    ]);
    expect(told("<script crossorigin src=a type=module></script>")).toEqual([
      [
        "script",
        0,
        { crossorigin: { text: "", at: 19 }, src: { text: "a", at: 24 }, type: { text: "module", at: 31 } },
      ],
    ]);
  });

  test("forms and buttons are reported without attributes, and also the ends of forms", () => {
    const roles: string[] = [];
    const visitor: DocumentVisitor = {
      ...SILENT,
      element: ({ role, name }) => roles.push(`${role} ${name}`),
      formEnd: () => roles.push("end"),
    };
    readDocument("<form><button>x</button><input></form></FORM ></forms>", visitor, UNBOUNDED());
    expect(roles).toEqual(["form form", "button button", "button input", "end", "end"]);
  });

  test("event handlers of any element are reported decoded", () => {
    expect(scan("<p onclick='a(&quot;b&quot;)' on=x one=y ONLOAD=c><b on-x=d onerror>")).toEqual([
      'handler a("b")',
      "handler y",
      "handler c",
    ]);
  });
});

describe("content without markup", () => {
  test.each<[string, string[]]>([
    ["<!-- <a href=b> --><a href=c>", ["c"]],
    ["<!--><a href=a>--><!---><a href=b>", ["a", "b"]],
    ["<!-- --!><a href=a>", ["a"]],
    ["<!-- -- > <a href=a>", []],
    ["<![CDATA[<a href=a>]]>", []],
    ["<svg><![CDATA[><a href=a>]]></svg><a href=b>", ["b"]],
    ["<textarea><a href=a></TEXTAREA><a href=b>", ["b"]],
    ["<textarea><a href=a></textareas></textarea/><a href=b>", ["b"]],
    ["<iframe><a href=a></iframe><xmp><a href=a></xmp><noscript><img src=a></noscript>", []],
    ["<plaintext><a href=a></plaintext><a href=b>", []],
    ["<template><template></template><a href=a></template><a href=b>", ["b"]],
    ["<template shadowrootmode=open><a href=a></template><a href=b>", ["a", "b"]],
    ["<svg><style/><script/><a href=a /></svg>", ["a"]],
    ["<script/><a href=a></script>", ["classic <a href=a>"]],
  ])("%j", (html, calls) => {
    expect(scan(html)).toEqual(calls);
  });
});

describe("scripts and styles", () => {
  test.each<[string, string[]]>([
    ["<script>a</script>", ["classic a"]],
    ["<script type=''>a</script>", ["classic a"]],
    ["<script type=' Text/JavaScript '>a</script>", ["classic a"]],
    ["<script type=application/x-ecmascript>a</script>", ["classic a"]],
    ["<script type=MODULE>a</script>", ["module a"]],
    ["<script type=importmap>a</script><script type=text/babel>a</script>", []],
    ["<script src>a</script>", [""]],
    ["<script>if (a</b) '</scripts>'</script ><a href=b>", ["classic if (a</b) '</scripts>'", "b"]],
    ["<script><!-- a </script><a href=b>", ["classic <!-- a ", "b"]],
    ["<script><!--<script>a</script>b--></script>", ["classic <!--<script>a</script>b-->"]],
    ["<script><!--<script>--></script><a href=b>", ["classic <!--<script>-->", "b"]],
    ["<script><!--><script></script><a href=b>", ["classic <!--><script>", "b"]],
    ["<script><!--<script></script>", []],
    ["<style>p > a { }</style>", ["style p > a { }"]],
    ["<style>a", ["style a"]],
  ])("%j", (html, calls) => {
    expect(scan(html)).toEqual(calls);
  });
});

describe("hostile documents", () => {
  const LENGTH = 2_000_000;

  test.each([
    "<",
    "</",
    "<!",
    "<?",
    "<!--",
    "<!-- --!>",
    "<!---",
    "<a ",
    "<a href=",
    '<a "',
    "<a href='",
    "<a =",
    "<a/",
    '"',
    "<x",
    "</x>",
    "<script>",
    "<script></script>",
    "<script><!--",
    "<script><!--</script>",
    "<script><!--<script></script>",
    "<style></",
    "<style></style>",
    "<title>",
    "<title></title>",
    "<textarea></textare",
    "<svg ",
    "<svg>",
    "<svg><![CDATA[",
    "<template>",
    "<img srcset='a, b 2x,'>",
    "<a href=&>",
    "<p style='('>",
  ])("two megabytes of %j are read in linear time", (unit) => {
    expectLinear((share) => {
      const html = Buffer.from(unit.repeat((share * LENGTH) / unit.length)).toString();
      return () => readDocument(html, SILENT, UNBOUNDED());
    });
  });

  test("no sequence of tokens throws or hides what follows", () => {
    const token = fc.constantFrom(
      "<",
      "</",
      "<!--",
      "-->",
      ">",
      "'",
      '"',
      "=",
      " ",
      "/",
      "a",
      "<a href=x",
      "<svg",
      "<p ",
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        // Closes anything that may be open: a comment, a quoted value, a tag.
        const end = `--> "'>"'><p>`;
        expect(scan(`${tokens.join("")}${end}<img src=last>`)).toContain("last");
      }),
    );
  });

  test("no text throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void scan(text)));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => void scan(`<img srcset="${text}" style="${text}">`)),
    );
  });
});
