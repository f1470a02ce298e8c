import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse } from "../../src/domain/document/warnings.ts";

type Assets = Record<string, string | undefined>;

function warningsOf(html: string, assets: Assets = {}): string[] {
  return analyse(new Map(Object.entries({ "index.html": html, ...assets }))).warnings;
}

function titleOf(html: string): string | undefined {
  return analyse(new Map([["index.html", html]])).title;
}

function missing(reference: string, file = "index.html"): string {
  return `${file} refers to "${reference}", which is not among the uploaded files.`;
}

describe("the title of a document", () => {
  test.each<[string, string, string | undefined]>([
    ["plain", "<title>Sales</title>", "Sales"],
    ["entities", "<title>A &amp; B &lt;c&gt; &#233; &eacute; &copy</title>", "A & B <c> é é ©"],
    ["an entity that is none", "<title>A &nosuch; B</title>", "A &nosuch; B"],
    ["white space", "<title>\n  A\t\tB \r\n C&nbsp; D </title>", "A B C D"],
    ["a NUL, which no database takes", "<title>A\0B&#0;C</title>", "A\uFFFDB\uFFFDC"],
    ["upper case and attributes", '<TITLE lang="en">A</Title >', "A"],
    ["markup in it is text", "<title><b>A</b> <!-- x --></title>", "<b>A</b> <!-- x -->"],
    ["the first one counts", "<title>A</title><title>B</title>", "A"],
    ["the first one counts though it is empty", "<title> </title><title>B</title>", undefined],
    ["after body", "<body><p>x</p></body><title>A</title>", "A"],
    ["in svg it is another element", "<svg><title>icon</title></svg><title>A</title>", "A"],
    ["in nested svg", "<svg><svg><title>x</title></svg><title>y</title></svg><title>A</title>", "A"],
    ["after an svg that closes itself", "<svg/><title>A</title>", "A"],
    ["after a title that closes itself in svg", "<svg><title/></svg><title>A</title>", "A"],
    ["in a comment", "<!-- <title>x</title> --><title>A</title>", "A"],
    ["in a script", "<script>'<title>x</title>'</script><title>A</title>", "A"],
    ["in a textarea", "<textarea><title>x</title></textarea><title>A</title>", "A"],
    ["in a template", "<template><title>x</title></template><title>A</title>", "A"],
    ["in an attribute", "<p data-x='<title>x</title>'><title>A</title>", "A"],
    ["unclosed: a browser takes the rest", "<title>A\n<p>B", "A <p>B"],
    ["none", "<p>A</p>", undefined],
    ["empty", "<title></title>", undefined],
    ["only white space", "<title> &nbsp;\n</title>", undefined],
    ["nothing at all", "", undefined],
  ])("%s", (_case, html, title) => {
    expect(titleOf(html)).toBe(title);
  });

  test("only index.html has one", () => {
    const files = new Map([
      ["a.html", "<title>A</title>"],
      ["index.html", "<title>I</title>"],
      ["z.html", "<title>Z</title>"],
    ]);
    expect(analyse(files).title).toBe("I");
  });

  test("any text without markup comes back on one line", () => {
    const text = fc.string().filter((title) => !/[<&\0]/.test(title));
    fc.assert(
      fc.property(text, (title) => {
        const line = title.replace(/\s+/g, " ").trim();
        expect(titleOf(`<!doctype html><head><title>${title}</title>`)).toBe(line === "" ? undefined : line);
      }),
    );
  });
});

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
      'index.html refers to "/static/app.js": references that start with "/" do not work here; use a relative one ("app.js").',
    ],
    [
      "/",
      'index.html refers to "/": references that start with "/" do not work here; use a relative one ("index.html").',
    ],
    ["lib/app.js", 'index.html refers to "lib/app.js", but an upload has no subdirectories: refer to it as "app.js".'],
    [
      "img\\plot.png?x",
      'index.html refers to "img\\plot.png?x", but an upload has no subdirectories: put the file beside index.html and refer to it as "plot.png".',
    ],
    [
      "../logo.svg",
      'index.html refers to "../logo.svg", which is outside the upload: put the file beside index.html and refer to it as "logo.svg".',
    ],
    ["..", 'index.html refers to "..", which is outside the upload: put the files beside index.html.'],
    ["data/", 'index.html refers to "data/", but an upload has no subdirectories: put the files beside index.html.'],
    [`${"x".repeat(150)}.png`, missing(`${"x".repeat(120)}…`)],
  ])("%j gets a warning", (reference, warning) => {
    expect(warningsOf(`<a href="${reference}">x</a>`, { "app.js": "" })).toEqual([warning]);
  });

  test("in every file that is read, sorted by file, then in the order of the text, each once", () => {
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
      missing("z.png", "app.css"),
      missing("b.css"),
      missing("z.png"),
      missing("a.png"),
      missing("q.png", "page.htm"),
    ]);
  });

  test("a file that is not text is there, and an asset may refer to index.html", () => {
    expect(warningsOf('<img src="a.png">', { "a.png": undefined, "b.html": '<a href="index.html">' })).toEqual([]);
  });

  test("at most twenty warnings, and how many more there are", () => {
    const images = (count: number) => Array.from({ length: count }, (_, i) => `<img src=${i}.png>`).join("");
    expect(warningsOf(images(20))).toHaveLength(20);
    const warnings = warningsOf(images(57));
    expect(warnings.slice(0, 2)).toEqual([missing("0.png"), missing("1.png")]);
    expect(warnings.slice(19)).toEqual([missing("19.png"), "… and 37 more."]);
  });
});

describe("base elements and storage", () => {
  const BASE = "index.html has a base element, which is not supported: remove it and use relative references.";
  const STORAGE = "uses localStorage outside a try block: reports run without storage, so this will throw.";

  test("a base element gets one warning", () => {
    expect(warningsOf("<base href='https://example.org/'><base>")).toEqual([BASE]);
    expect(warningsOf("<!-- <base> --><svg><base/></svg><template><base></template>")).toEqual([]);
  });

  test("storage in files and inline scripts", () => {
    const warnings = warningsOf('<script>localStorage.a</script><script type="module">localStorage.b</script>', {
      "app.js": "localStorage.a = document.cookie",
      "lib.mjs": "import x from './x.mjs'; sessionStorage.clear()",
      "safe.js": "try { localStorage.a } catch {}",
      "data.json": '{"a": "localStorage"}',
    });
    expect(warnings).toEqual([
      `app.js ${STORAGE}`,
      "app.js uses document.cookie outside a try block: reports run without cookies, so this will throw.",
      `index.html ${STORAGE}`,
      "lib.mjs uses sessionStorage outside a try block: reports run without storage, so this will throw.",
    ]);
  });

  test("scripts that are not run say nothing", () => {
    const html = `<script type="application/json">localStorage</script><script type="text/template">localStorage</script>
      <script src="app.js">localStorage</script><template><script>localStorage</script></template>
      <noscript><script>localStorage</script></noscript><script>localStorage`;
    expect(warningsOf(html, { "app.js": "" })).toEqual([]);
  });

  test("an upload is parsed up to a total length, however many scripts it has", () => {
    const script = `${"x;".repeat(400_000)}localStorage`;
    const warnings = warningsOf("", { "a.js": script, "b.js": script, "c.js": script });
    expect(warnings).toEqual([`a.js ${STORAGE}`, `b.js ${STORAGE}`]);
  });
});
