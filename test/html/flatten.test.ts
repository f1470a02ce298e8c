import { describe, expect, test } from "bun:test";
import { rewriteCss, rewriteHtml } from "../../src/html/flatten.ts";

const shout = (reference: string) => reference.toUpperCase();

describe("references in CSS", () => {
  test.each([
    ["a{background:url(a/b.png)}", "a{background:url(A/B.PNG)}"],
    ["a{background:URL( 'a/b.png' )}", "a{background:URL( 'A/B.PNG' )}"],
    ['a{background:url("a/b(1).png")}', 'a{background:url("A/B(1).PNG")}'],
    ["@import 'a.css' screen;", "@import 'A.CSS' screen;"],
    ['@import url("a.css");', '@import url("A.CSS");'],
    [
      "@font-face{src:url(a.woff2) format('woff2'),url(b.woff)}",
      "@font-face{src:url(A.WOFF2) format('woff2'),url(B.WOFF)}",
    ],
    ["a{background:url(a\\ b.png)}", "a{background:url(A\\ B.PNG)}"],
    ["a{background:url(a\\20 b.png)}", "a{background:url(A\\ B.PNG)}"],
    ["a{background:image-set(url(a.png) 1x, 'b.png' 2x)}", "a{background:image-set(url(A.PNG) 1x, 'b.png' 2x)}"],
    ["/* url(a.png) */ /* @import 'a' */", undefined],
    ["a{content:'url(a.png)'}", undefined],
    ['a{content:"\\"url(a.png)"}', undefined],
    ["a{background:curl(a.png) my-url(a.png)}", undefined],
    ["/* open url(a.png)", undefined],
  ])("%s", (css, expected) => {
    expect(rewriteCss(css, shout)).toBe(expected ?? css);
  });
});

describe("references in HTML", () => {
  test.each([
    ['<img src="a.png">', '<img src="A.PNG">'],
    ["<a href=a.html>x</a>", '<a href="A.HTML">x</a>'],
    ['<img srcset="a.png 1x,b.png 2x, c.png">', '<img srcset="A.PNG 1x,B.PNG 2x, C.PNG">'],
    ['<p style="background:url(a.png)">', '<p style="background:url(A.PNG)">'],
    ["<style>a{background:url(a.png)}</style>", "<style>a{background:url(A.PNG)}</style>"],
    ['<svg><image xlink:href="a.png"></image></svg>', '<svg><image xlink:href="A.PNG"></image></svg>'],
    ['<a href="a?x=1&amp;y=2">', '<a href="A?X=1&amp;Y=2">'],
    ['<!-- <img src="a.png"> -->', undefined],
    ["<script>'<img src=\"a.png\">'</script>", undefined],
    ["<p title=src>src=a.png</p>", undefined],
    ["<!DOCTYPE html>\r\n<P  CLASS=x >é</p\n>", undefined],
  ])("%s", (html, expected) => {
    expect(rewriteHtml(html, shout)).toBe(expected ?? html);
  });
});

test("large embedded images are skipped", () => {
  const css = `a{background:url(data:image/png;base64,${"A".repeat(8_000_000)})} b{background:url("${"B".repeat(8_000_000)}")}`;
  expect(rewriteCss(css, (reference) => reference)).toBe(css);
});
