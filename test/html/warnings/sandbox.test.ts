import { describe, expect, test } from "bun:test";
import { Budget } from "../../../src/html/budget.ts";
import { analyse } from "../../../src/html/warnings/analyse.ts";
import { type Assets, missing, warningsOf } from "./warnings-of.ts";

const CONSTRUCTS: readonly (readonly [what: string, html: string, assets: Assets, warning: string])[] = [
  [
    "a base element",
    "<p>\n<base href='https://example.org/'><base>",
    {},
    "index.html line 2: The base element isn't supported. Remove it and use relative references.",
  ],
  [
    "localStorage",
    "<script>\n\nlocalStorage.a</script>",
    {},
    'index.html line 3: localStorage is blocked in reports and throws an error. Wrap it in try/catch or publish with storage "memory".',
  ],
  [
    "sessionStorage in a file",
    "<p>",
    { "app.js": "x();\nsessionStorage.a" },
    'app.js line 2: sessionStorage is blocked in reports and throws an error. Wrap it in try/catch or publish with storage "memory".',
  ],
  [
    "cookies",
    "<script>document.cookie = 'a=b'</script>",
    {},
    'index.html line 1: document.cookie is blocked in reports and throws an error. Wrap it in try/catch or publish with storage "memory".',
  ],
  [
    "indexedDB",
    "<script>indexedDB.open('a')</script>",
    {},
    "index.html line 1: indexedDB is blocked in reports and throws an error. Wrap it in try/catch or remove it.",
  ],
  [
    "caches",
    "<script>if (window.caches) x()</script>",
    {},
    "index.html line 1: caches is blocked in reports and throws an error. Wrap it in try/catch or remove it.",
  ],
  [
    "a worker from a file",
    "<script>\nnew Worker('./w.js')</script>",
    { "w.js": "" },
    "index.html line 2: Sandboxed pages can't start a Worker from \"./w.js\". Start it from a blob: URL of the script's text.",
  ],
  [
    "a worker from a file of the module's directory",
    "<p>",
    { "a.mjs": "new Worker(new URL('w.js', import.meta.url))", "w.js": "" },
    "a.mjs line 1: Sandboxed pages can't start a Worker from \"w.js\". Start it from a blob: URL of the script's text.",
  ],
  [
    "a shared worker",
    "<script>new SharedWorker(url)</script>",
    {},
    "index.html line 1: Sandboxed pages can't start a SharedWorker. Use a Worker from a blob: URL.",
  ],
  [
    "a service worker",
    "<script>if ('serviceWorker' in navigator)\nnavigator.serviceWorker.register('w.js')</script>",
    {},
    "index.html line 2: navigator.serviceWorker is blocked in reports and throws an error. Wrap it in try/catch or remove it.",
  ],
  [
    "importScripts",
    "<p>",
    { "w.js": "importScripts('lib.js')" },
    "w.js line 1: importScripts can't load \"lib.js\", because relative URLs don't work in this worker. Pass it a full URL, which the page makes with new URL(…, document.baseURI).",
  ],
  [
    "import() in a script loaded without crossorigin",
    "<script src=app.js></script>",
    { "app.js": "x;\nimport('./m.mjs')", "m.mjs": "" },
    "app.js line 2: The script can't import \"./m.mjs\", because it's loaded without crossorigin. Add crossorigin to its script element in index.html.",
  ],
  [
    "a shape from another file",
    "<svg>\n<use href='icons.svg#a'/></svg>",
    { "icons.svg": undefined },
    'index.html line 2: Sandboxed pages can\'t use shapes from other files ("icons.svg#a"). Copy the shape into this page and refer to it as "#a".',
  ],
  [
    "integrity without crossorigin",
    "<link\nintegrity=sha256-x href=a.css>",
    { "a.css": "" },
    'index.html line 2: Browsers refuse to load "a.css", because it has an integrity attribute but no crossorigin attribute. Add crossorigin="anonymous".',
  ],
  [
    "a link to another site",
    "<p>\n<a href=https://example.org/>x</a>",
    {},
    'index.html line 2: The link to "https://example.org/" has no target="_blank", so it doesn\'t open from a live or private link. Add target="_blank".',
  ],
  [
    "links to other sites",
    "<a href=//a.org target=_top>x</a><a href=http://b.org>y</a>",
    {},
    'index.html line 1: The links to "//a.org" and 1 other have no target="_blank", so they don\'t open from a live or private link. Add target="_blank".',
  ],
  [
    "a download of a file that browsers display",
    "<a download href='plot.png?v=1#a'>x</a>",
    { "plot.png": undefined },
    'index.html line 1: Browsers show "plot.png?v=1#a" instead of downloading it. Link to "plot.png?v=1&download#a".',
  ],
  [
    "a script loaded over http",
    "<script src=http://a.org/b.js></script><a target=_blank href=http://a.org>x</a>",
    {},
    'index.html line 1: Browsers block "http://a.org/b.js", loaded over http, because reports are served over https. Use https or publish the file next to index.html.',
  ],
  [
    "a file on the author's computer",
    "<img src='C:\\\\plots\\\\a.png'>",
    {},
    'index.html line 1: "C:\\\\plots\\\\a.png" is on your own computer, where readers can\'t load it. Embed it in the page (in Jupyter, use nbconvert --embed-images) or publish a copy next to index.html.',
  ],
  ["a missing module", "<script type=module>import a from './a.mjs'</script>", {}, missing("./a.mjs")],
  [
    "a missing module of a module",
    "<p>",
    { "a.mjs": "import b from 'b';\nexport * from './b.mjs'" },
    missing("./b.mjs", "a.mjs", 2),
  ],
  ["a missing module imported later", "<script>\nimport('./a.mjs')</script>", {}, missing("./a.mjs", "index.html", 2)],
];

describe("what does not work in a sandbox", () => {
  test.each(CONSTRUCTS)("%s", (_what, html, assets, warning) => {
    expect(warningsOf(html, assets)).toEqual([warning]);
  });

  test.each<[string, string, Assets]>([
    ["a form of another page", "<p>", { "b.html": "<form action=index.html><button>x</button></form>" }],
    [
      "a form that a script handles",
      "<form><button>x</button></form><script>f.addEventListener('submit', g)</script>",
      {},
    ],
    ["a form without a button", "<form><input><button type=button>x</button></form><button>y</button>", {}],
    [
      "downloads that are saved",
      "<a download href='a.png?download'>x</a><a download href=a.csv>y</a>",
      { "a.png": undefined, "a.csv": undefined },
    ],
    ["guarded storage", "<script>try { localStorage.a; caches.b; indexedDB.open('') } catch {}</script>", {}],
    ["testing for indexedDB", "<script>if (window.indexedDB) x()</script>", {}],
    [
      "a worker from a blob",
      "<script>new Worker(URL.createObjectURL(b)); new Worker('blob:x'); new Worker(`data:,`)</script>",
      {},
    ],
    [
      "a guarded worker",
      "<script>try { new Worker('w.js') } catch { new SharedWorker; }</script>".replace("new SharedWorker;", ""),
      {},
    ],
    ["a class defined by the page", "<script>class Worker {}; new Worker('w.js')</script>", {}],
    ["importScripts with an address", "<p>", { "w.js": "importScripts('https://a.org/b.js', address)" }],
    [
      "import() in a script with crossorigin",
      "<script src=app.js crossorigin></script>",
      { "app.js": "import('./m.mjs')", "m.mjs": "" },
    ],
    [
      "import() in a module",
      "<script type=module src=app.js></script>",
      { "app.js": "import('./m.mjs')", "m.mjs": "" },
    ],
    ["import() in the page itself", "<script>import('./m.mjs')</script>", { "m.mjs": "" }],
    ["a shape from the page itself", "<svg><use href='#a'/><use xlink:href='#b'/></svg>", {}],
    ["integrity with crossorigin", "<script integrity=sha256-x src=a.js crossorigin></script>", { "a.js": "" }],
    ["integrity of another site's file", "<script integrity=sha256-x src=https://a.org/a.js></script>", {}],
    ["links that open tabs", "<a target=_blank href=https://a.org>x</a><a href=https://b.org target=other>y</a>", {}],
    ["links within the report", "<a href=#a>x</a><a href=index.html>y</a><a href=mailto:a@b.org>z</a>", {}],
    ["packages in an import map", "<script type=module>import a from 'a'; import('b')</script>", {}],
  ])("%s causes no warning", (_what, html, assets) => {
    expect(warningsOf(html, assets)).toEqual([]);
  });

  test("a base element with a target opens links outside the frame", () => {
    expect(warningsOf("<base target=_blank><a href=https://a.org>x</a>")).toEqual([
      CONSTRUCTS[0]?.[3].replace("2", "1") ?? "",
    ]);
  });

  test("storage in memory removes the warnings about storage, but not about what has no stand-in", () => {
    const source = "localStorage.a; sessionStorage.b; document.cookie; indexedDB.open('c'); caches.d";
    const names = (warnings: readonly string[] | undefined) => warnings?.map((warning) => /: (\S+)/.exec(warning)?.[1]);
    const { warnings, warningsWithStorage } = analyse(new Map([["index.html", `<script>${source}</script>`]]));
    expect(names(warnings)).toEqual(["localStorage", "sessionStorage", "document.cookie", "indexedDB", "caches"]);
    expect(names(warningsWithStorage)).toEqual(["indexedDB", "caches"]);
    const others = analyse(new Map([["index.html", "<script>indexedDB.open('c')</script>"]]));
    expect([names(others.warnings), others.warningsWithStorage]).toEqual([["indexedDB"], undefined]);
  });

  test("each is reported once per file, at its first place", () => {
    const warnings = warningsOf("<script>\nlocalStorage.a;\nlocalStorage.b</script><script>localStorage.c</script>", {
      "app.js": "() => { localStorage.a };\nlocalStorage.b",
      "data.json": '{"a": "localStorage"}',
    });
    expect(warnings.map((warning) => warning.replace(/ is blocked.*/, ""))).toEqual([
      "app.js line 1 and 1 other file: localStorage",
    ]);
  });

  test("text that looks like elements causes no warning", () => {
    expect(warningsOf("<!-- <base> --><svg><base/></svg><template><base></template>")).toEqual([]);
  });

  test("scripts that don't run cause no warning", () => {
    const html = `<script type="application/json">localStorage</script><script type="text/template">localStorage</script>
      <script src="app.js">localStorage</script><template><script>localStorage</script></template>
      <noscript><script>localStorage</script></noscript><script>localStorage`;
    expect(warningsOf(html, { "app.js": "" })).toEqual([]);
  });

  test("an upload is parsed up to a total length, with any number of scripts; the rest is searched for words", () => {
    const script = `${"xyz;".repeat(200_000)}localStorage.a; import("./gone.mjs")`;
    const warnings = warningsOf("<p>", { "a.js": script, "b.js": script, "c.js": script });
    expect(warnings).toEqual([
      expect.stringMatching(/^a.js line 1 and 2 other files: localStorage/),
      expect.stringMatching(/^a.js line 1 and 1 other file: "\.\/gone.mjs"/),
    ]);
  });

  test("beyond the limits of steps or time, one warning says so, and earlier findings remain", () => {
    const files = new Map([
      ["index.html", `<title>A</title><img src=b.png>${"<p>".repeat(20_000)}<img src=c.png>`],
      ["app.js", "localStorage.a"],
    ]);
    const over = [
      'app.js line 1: localStorage is blocked in reports and throws an error. Wrap it in try/catch or publish with storage "memory".',
      missing("b.png"),
      "index.html is too large or too deeply nested to check completely. Open the report to make sure that everything works.",
    ];
    const analysis = { title: "A", warnings: over, warningsWithStorage: over.slice(1) };
    expect(analyse(files, { budget: new Budget({ maxSteps: 10_000 }) })).toEqual(analysis);
    let time = 0;
    const now = () => {
      time += 10;
      return time;
    };
    expect(analyse(files, { budget: new Budget({ maxMilliseconds: 5, now }) })).toEqual(analysis);
    expect(analyse(files).warnings).toHaveLength(3);
  });

  test("scripts that are nested too deeply are searched for words, and a warning says so", () => {
    const warnings = warningsOf("<p>", { "app.js": `${"[".repeat(5_000)}${"]".repeat(5_000)};localStorage.a` });
    expect(warnings).toEqual([
      expect.stringMatching(/^app.js line 1: localStorage/),
      expect.stringMatching(/^app.js is too large or too deeply nested/),
    ]);
  });
});
