import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse } from "../../../src/html/warnings/analyse.ts";
import { expectLinear } from "../../support/timing.ts";
import { missing, warningsOf } from "./warnings-of.ts";

function titleOf(html: string): string | undefined {
  return analyse(new Map([["index.html", html]])).title;
}

test.each(["", " \n\t", "\ufeff\r\n"])("a blank page %j is reported", (html) => {
  const sentence = "index.html is empty, so readers see a blank page.";
  expect(warningsOf(html)).toEqual([sentence]);
  expect(warningsOf(html, { "data.csv": "a,b" })).toEqual([sentence]);
  expect(warningsOf("<p>", { "empty.html": html })).toEqual([]);
});

describe("the title of a document", () => {
  test.each<[string, string, string | undefined]>([
    ["plain", "<title>Sales</title>", "Sales"],
    ["entities", "<title>A &amp; B &lt;c&gt; &#233; &eacute; &copy</title>", "A & B <c> é é ©"],
    ["an unknown entity", "<title>A &nosuch; B</title>", "A &nosuch; B"],
    ["white space", "<title>\n  A\t\tB \r\n C&nbsp; D </title>", "A B C D"],
    ["a NUL, which no database accepts", "<title>A\0B&#0;C</title>", "A\uFFFDB\uFFFDC"],
    ["upper case and attributes", '<TITLE lang="en">A</Title >', "A"],
    ["markup in it is text", "<title><b>A</b> <!-- x --></title>", "<b>A</b> <!-- x -->"],
    ["the first one counts", "<title>A</title><title>B</title>", "A"],
    ["the first one counts even if it is empty", "<title> </title><title>B</title>", undefined],
    ["after body", "<body><p>x</p></body><title>A</title>", "A"],
    ["in svg it is another element", "<svg><title>icon</title></svg><title>A</title>", "A"],
    ["in nested svg", "<svg><svg><title>x</title></svg><title>y</title></svg><title>A</title>", "A"],
    ["after a self-closing svg", "<svg/><title>A</title>", "A"],
    ["after a self-closing title in svg", "<svg><title/></svg><title>A</title>", "A"],
    ["in a comment", "<!-- <title>x</title> --><title>A</title>", "A"],
    ["in a script", "<script>'<title>x</title>'</script><title>A</title>", "A"],
    ["in a textarea", "<textarea><title>x</title></textarea><title>A</title>", "A"],
    ["in a template", "<template><title>x</title></template><title>A</title>", "A"],
    ["in an attribute", "<p data-x='<title>x</title>'><title>A</title>", "A"],
    ["unclosed: a browser takes the rest", "<title>A\n<p>B", "A <p>B"],
    ["none", "<p>A</p>", undefined],
    ["empty", "<title></title>", undefined],
    ["only white space", "<title> &nbsp;\n</title>", undefined],
    ["an empty document", "", undefined],
  ])("%s", (_case, html, title) => {
    expect(titleOf(html)).toBe(title);
  });

  test("only index.html has a title", () => {
    const files = new Map([
      ["a.html", "<title>A</title>"],
      ["index.html", "<title>I</title>"],
      ["z.html", "<title>Z</title>"],
    ]);
    expect(analyse(files).title).toBe("I");
  });

  test("any text without markup is returned on one line", () => {
    const text = fc.string().filter((title) => !/[<&\0]/.test(title));
    fc.assert(
      fc.property(text, (title) => {
        const line = title.replace(/\s+/g, " ").trim();
        expect(titleOf(`<!doctype html><head><title>${title}</title>`)).toBe(line === "" ? undefined : line);
      }),
    );
  });
});

describe("line numbers", () => {
  test("count as an editor does, in styles and attributes too", () => {
    const html = [
      "<!doctype html>\r",
      "<style>",
      "a { background: url(3.png) }",
      "/* x */ @import '4.css';",
      "</style><p",
      'style="background: url(&quot;6.png&quot;)">',
      "<img srcset='7.png 1x, 7.webp 2x'>",
    ].join("\n");
    const expected = ["3.png", "4.css", "6.png", "7.png", "7.webp"].map((name) =>
      missing(name, "index.html", Number(name[0])),
    );
    expect(warningsOf(html)).toEqual(expected);
  });

  test("count any number of lines before", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("", "text", "<p>", "<!-- - -->", "\r")), (before) => {
        expect(warningsOf([...before, "<img src=a.png>"].join("\n"))).toEqual([
          missing("a.png", "index.html", before.length + 1),
        ]);
      }),
    );
  });
});

describe("time", () => {
  const MANY = 3_000_000;

  test.each<[string, string, string]>([
    ["missing files", "index.html", "<img src=a>\n<img src=b>"],
    ["links", "index.html", "<a href=//a>\n"],
    ["long lines of script", "app.js", "a=b;"],
    ["mentions of storage", "app.js", "localStorage;"],
  ])("three megabytes with %s are read in linear time, with few warnings", (_what, name, unit) => {
    const filesOf = (share: number) =>
      new Map([
        ["index.html", "<p>"],
        [name, unit.repeat((share * MANY) / unit.length)],
      ]);
    expectLinear((share) => {
      const files = filesOf(share);
      return () => analyse(files);
    });
    expect(analyse(filesOf(1)).warnings.length).toBeLessThanOrEqual(21);
  });

  test.each<[string, string, string]>([
    ["missing files", "index.html", "<img src=a>\n"],
    ["mentions of storage", "app.js", "localStorage;"],
    ["declarations", "app.js", "let a=()=>import('./b');"],
    ["braces", "app.js", "{"],
  ])("64 KB with %s, which are read on the event loop, take linear time", (_what, name, unit) => {
    expectLinear((share) => {
      const files = new Map([
        ["index.html", "<p>"],
        [name, `${unit.repeat((share * 64 * 1024) / unit.length)};localStorage`],
      ]);
      return () => analyse(files);
    });
  });
});
