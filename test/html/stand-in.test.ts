import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packFiles } from "../../src/domain/publishing/files.ts";
import { insertionPoint } from "../../src/html/insertion-point.ts";
import { withStandIn } from "../../src/html/stand-in.ts";
import { STAND_IN_SCRIPT } from "../../src/html/stand-in-script.ts";
import { expectLinear } from "../support/timing.ts";

describe("the position of a script that runs before all others", () => {
  // It is where the bar is.
  test.each([
    "|",
    "|text",
    "|<p>text",
    "|<script>first</script>",
    "<!doctype html>|<script>first</script>",
    "<!DOCTYPE html>|\n<title>x</title>",
    "<!doctype html><html lang=en>|<title>x</title>",
    "<!doctype html>\n<!-- c -->\n<html lang='a>b'>\n<head>|\n<script>",
    '<html><head data-x="<body>" y>|<meta charset=utf-8>',
    "<HTML\nCLASS=x/><HEAD/>|<body>",
    "<head>|",
    "<html>|<body>",
    "<!doctype html>|<body>",
    "<!doctype html>|</head><script>",
    "<!-- <script>no</script> --><!doctype html>|<script>",
    "<!-- c --!><!doctype html><!----><html>|<!-->",
    "|<!-- c --><script>",
    "<?xml version='1.0'?><!doctype html>|<p>",
    "<!ELEMENT x><!doctype html SYSTEM 'a'>|<p>",
    "|<!-- not closed <script></script>",
    "<!doctype html>|<!-- not closed <html><head>",
    "|<!doctype html",
    "<html>|<head title='not closed>",
    "<!doctype html>|<html title='not closed><head>",
    "|<header><script></script>",
    "|<htmlx><head>",
    "<html>|text<head>",
    "|</p><!doctype html>",
    "<!doctype html><!doctype html><html><html lang=en><head>|<head>",
  ])("%j", (marked) => {
    expect(insertionPoint(marked.replace("|", ""))).toBe(marked.indexOf("|"));
  });

  test("is found in linear time", () => {
    for (const unit of ["<!-- - ", "<html a='", "<!x>", "<!-- -->", "\n", "<html a=b ", "<!doctype"]) {
      expectLinear((share) => {
        const html = Buffer.from(unit.repeat((share * 2_000_000) / unit.length)).toString();
        return () => insertionPoint(html);
      });
    }
  });
});

/** Pieces from which the beginning of a document is made. */
const PIECES = [
  "<!doctype html>",
  "<html lang=en>",
  "<head>",
  "<!-- c -->",
  "<!--",
  "-->",
  "<?x?>",
  " \n",
  "text",
  "<script>",
  "</script>",
  "<p a='>'>",
  "'",
  "<",
  ">",
  "é",
  "日本",
];
const documents = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(""));

describe("a page with a stand-in", () => {
  const encodings = {
    "UTF-8": (text: string) => Buffer.from(text),
    "UTF-8 with a byte order mark": (text: string) => Buffer.from(`\uFEFF${text}`),
    "UTF-16 LE": (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le"),
    "UTF-16 BE": (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le").swap16(),
  };

  test.each(Object.entries(encodings))("contains the page and the script at its position, in %s", (name, encode) => {
    const decoder = new TextDecoder(
      name.startsWith("UTF-16 BE") ? "utf-16be" : name.startsWith("UTF-16") ? "utf-16le" : "utf-8",
    );
    fc.assert(
      fc.property(documents, (text) => {
        const at = insertionPoint(text);
        expect(decoder.decode(withStandIn(encode(text)))).toBe(text.slice(0, at) + STAND_IN_SCRIPT + text.slice(at));
      }),
    );
  });

  test("keeps all bytes of the page, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const made = Buffer.from(withStandIn(bytes));
        const script = Buffer.from(STAND_IN_SCRIPT, bytes[0] === 0xff && bytes[1] === 0xfe ? "utf16le" : "latin1");
        const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
        const inserted = isBigEndian ? Buffer.from(STAND_IN_SCRIPT, "utf16le").swap16() : script;
        const at = made.indexOf(inserted);
        expect(at).not.toBe(-1);
        expect(Buffer.concat([made.subarray(0, at), made.subarray(at + inserted.length)]).equals(bytes)).toBe(true);
      }),
    );
  });

  test("works in each encoding, because the script is ASCII and ends cleanly", () => {
    expect(STAND_IN_SCRIPT).toMatch(/^[\n\x20-\x7e]*$/);
    expect(STAND_IN_SCRIPT.match(/<\/script|<!--/gi)).toEqual(["</script"]);
  });

  test("is stored after the files of its package, one for each page", () => {
    const files = ["index.html", "a.js", "More.HTM", "pic.svg"].map((path) => ({
      path,
      content: `<!doctype html>${path}`,
    }));
    expect(packFiles(files).standIns).toBeUndefined();
    const plain = packFiles(files);
    const { content, standIns = [], ...rest } = packFiles(files, "memory");
    expect(rest.files).toEqual(plain.files);
    expect(content.subarray(0, plain.content.length)).toEqual(plain.content);
    expect(standIns.map(({ path }) => path)).toEqual(["~index.html", "~More.HTM"]);
    for (const { path, offset, size } of standIns) {
      const text = Buffer.from(content.subarray(offset, offset + size)).toString();
      expect(text).toBe(`<!doctype html>${STAND_IN_SCRIPT}${path.slice(1)}`);
    }
  });
});
