import { expect, test } from "bun:test";
import { readTitle } from "../../src/html/title.ts";

test.each<[string, string | undefined]>([
  ["<!doctype html><title>Sales</title>", "Sales"],
  ["<title lang=en>\n  Sales &amp;\n  returns </title>", "Sales & returns"],
  ["<!-- <title>Draft</title> --><title>Sales</title>", "Sales"],
  ["<script>'<title>Draft</title>'</script><title>Sales</title>", "Sales"],
  ["<svg><title>Bars</title></svg><title>Sales</title>", "Sales"],
  ["<title>First</title><title>Second</title>", "First"],
  ["<title> </title>", undefined],
  ["<h1>Sales</h1>", undefined],
])("the title of %p", (html, title) => {
  expect(readTitle(html)).toBe(title);
});
