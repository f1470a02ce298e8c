import { describe, expect, test } from "bun:test";
import { missing, warningsOf } from "./warnings-of.ts";

describe("references", () => {
  test.each([
    "https://example.org/x.js",
    "//cdn.example.org/x.js",
    "\\\\cdn.example.org\\x.js",
    "data:image/png;base64,AAAA",
    `data:image/png;base64,${"A".repeat(5_000)}`,
    "blob:https://example.org/1",
    "mailto:a@example.org",
    "javascript:void 0",
    "about:blank",
    "#part",
    "",
    " ",
    "?page=2",
    ".",
    "./",
    "index.html",
    "./index.html#part",
    "app.js",
    "./app.js",
    "././app.js",
    "x/../app.js",
    " app.js\n",
    "ap\np.js",
    "app.js?v=1#top",
    "app%2Ejs",
    "app&#46;js",
  ])("%j works", (reference) => {
    expect(warningsOf(`<script src="${reference}"></script>`, { "app.js": "" })).toEqual([]);
  });

  test.each<[string, string]>([
    ["style.css", missing("style.css")],
    ["style.css?v=1", missing("style.css?v=1")],
    ["100%.png", missing("100%.png")],
    ["a%2Fb.png", missing("a%2Fb.png")],
    ["App.js", missing("App.js")],
    [
      "/static/app.js",
      'index.html line 1: "/static/app.js" starts with "/", which doesn\'t work in a report. Use the relative reference "app.js".',
    ],
    [
      "/",
      'index.html line 1: "/" starts with "/", which doesn\'t work in a report. Use the relative reference "index.html".',
    ],
    [
      "lib/app.js",
      'index.html line 1: "lib/app.js" is in a subdirectory, but uploads can\'t have subdirectories. Refer to it as "app.js".',
    ],
    [
      "img\\plot.png?x",
      'index.html line 1: "img\\plot.png?x" is in a subdirectory, but uploads can\'t have subdirectories. Put the file next to index.html and refer to it as "plot.png".',
    ],
    [
      "../logo.svg",
      'index.html line 1: "../logo.svg" is outside the upload. Put the file next to index.html and refer to it as "logo.svg".',
    ],
    ["..", 'index.html line 1: ".." is outside the upload. Put the files next to index.html.'],
    [
      "data/",
      'index.html line 1: "data/" is in a subdirectory, but uploads can\'t have subdirectories. Put the files next to index.html.',
    ],
    [`${"x".repeat(150)}.png`, missing(`${"x".repeat(120)}…`)],
  ])("%j gets a warning", (reference, warning) => {
    expect(warningsOf(`<a href="${reference}">x</a>`, { "app.js": "" })).toEqual([warning]);
  });

  test("in every file, sorted by file, then by position, each once", () => {
    const warnings = warningsOf(
      '<link href="b.css"><img src="z.png"><p style="background: url(a.png)"><img src=z.png>',
      {
        "page.htm": "<img src=q.png>",
        "app.css": '@import "base.css"; p { background: url(z.png) }',
        "notes.txt": "<img src=no.png>",
        "photo.png": undefined,
      },
    );
    expect(warnings).toEqual([
      missing("base.css", "app.css"),
      missing("z.png", "app.css").replace(":", " and 1 other file:"),
      missing("b.css"),
      missing("a.png"),
      missing("q.png", "page.htm"),
    ]);
  });

  test("a binary file counts as present, and an asset may refer to index.html", () => {
    expect(warningsOf('<img src="a.png">', { "a.png": undefined, "b.html": '<a href="index.html">' })).toEqual([]);
  });

  const images = (count: number, path: string) =>
    Array.from({ length: count }, (_, i) => `<img src=${path}${i}.png>`).join("");

  test("many with the same cause are combined in one sentence", () => {
    expect(warningsOf(images(5, ""))).toHaveLength(5);
    expect(warningsOf(images(57, ""))).toEqual([
      'index.html line 1: "0.png", "1.png", "2.png", "3.png", "4.png" and 52 more aren\'t in the upload. Add the files or remove the references.',
    ]);
    expect(warningsOf(images(6, "a/"))).toEqual([
      'index.html line 1: "a/0.png", "a/1.png", "a/2.png", "a/3.png", "a/4.png" and 1 more are in subdirectories, but uploads can\'t have subdirectories. Put the files next to index.html or use vitrine publish --flatten.',
    ]);
    expect(warningsOf(images(6, "/"))).toEqual([
      expect.stringContaining('and 1 more start with "/", which doesn\'t work in a report. Use relative references.'),
    ]);
  });

  test("the same cause in eight files is one sentence", () => {
    const pages = Array.from({ length: 8 }, (_, i) => [`page-${i}.html`, "\n<script>localStorage.a</script>"]);
    expect(warningsOf("<p>", Object.fromEntries(pages))).toEqual([
      'page-0.html line 2 and 7 other files: localStorage is blocked in reports and throws an error. Wrap it in try/catch or publish with storage "memory".',
    ]);
  });

  test("there are at most twenty warnings, and a count of the rest", () => {
    const four = (path: string) => images(4, path);
    const uses = "localStorage.a;sessionStorage.b;document.cookie;indexedDB.c;caches.d;navigator.serviceWorker.e";
    const html = `<base>${four("")}${four("/")}${four("../")}${four("a/")}<script>${uses}</script>`;
    const warnings = warningsOf(html);
    expect(warnings).toHaveLength(21);
    expect(warnings[20]).toBe("3 more warnings not shown.");
  });
});

/** Constructs with their warnings. In the remedied form, they cause none. */
