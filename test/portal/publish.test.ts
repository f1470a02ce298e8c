import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { previewReference } from "../../src/client/definitions.ts";
import { commonFolder, type DraftFile, isHidden, isUsableName } from "../../src/portal/publish/draft-files.ts";
import { buildPreview } from "../../src/portal/publish/preview/build.ts";
import { renameFiles } from "../../src/portal/publish/rewriting.ts";
import { arrange, startPages } from "../../src/portal/publish/start-page.ts";
import { baseNameFor, candidatesFor, suggestName } from "../../src/portal/publish/suggestions.ts";

const filesOf = (contents: Readonly<Record<string, string>>): DraftFile[] =>
  Object.entries(contents).map(([path, content]) => ({ id: `id of ${path}`, path, source: new Blob([content]) }));
const named = (...paths: string[]) => filesOf(Object.fromEntries(paths.map((path) => [path, ""])));

describe("the name of a new report", () => {
  const from = (title: string | undefined, path = "index.html", folder?: string) =>
    baseNameFor({ title, start: named(path)[0], from: folder });

  test("is made from the title, else from the file, else from the folder", () => {
    expect(from("Weekly Sales – Week 47", "x.html", "build")).toBe("weekly-sales-week-47");
    expect(from(undefined, "Weekly Sales.html", "build")).toBe("weekly-sales");
    expect(from("  ", "sub/Weekly Sales.HTM", "build")).toBe("weekly-sales");
    expect(from(undefined, "index.html", "Harvest 2026")).toBe("harvest-2026");
    expect(from("日本語", "四.html")).toBe("report");
    expect(from("Index")).toBe("report");
    expect(from("Straße & Übersicht")).toBe("strasse-ubersicht");
  });

  test("is cut after a word, and always valid", () => {
    expect(from("The quarterly figures of all regions of the northern hemisphere")).toBe(
      "the-quarterly-figures-of-all-regions-of-the",
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 1, max: 63 }), (text, most) => {
        const name = suggestName(text, most);
        if (name !== undefined) expect(name).toMatch(new RegExp(`^[a-z0-9][a-z0-9-]{0,${most - 1}}$`));
      }),
    );
  });

  test("gets a number if the user has it, and the workspace's slug if another user does", () => {
    expect(candidatesFor("sales", "ada", false).slice(0, 3)).toEqual(["sales", "sales-2", "sales-3"]);
    expect(candidatesFor("sales", "ada", true).slice(0, 2)).toEqual(["sales-ada", "sales-ada-2"]);
    for (const name of candidatesFor("a".repeat(48), "b".repeat(39), true)) expect(name).toMatch(/^[a-z0-9-]{1,63}$/);
  });
});

describe("the start page", () => {
  const namesOf = (files: readonly DraftFile[], chosen?: string, isFlat = false) =>
    Object.fromEntries(arrange(files, chosen, isFlat).names);

  test("is the only HTML file, which becomes index.html", () => {
    expect(namesOf(named("Weekly Sales.html", "chart.png"))).toEqual({
      "Weekly Sales.html": "index.html",
      "chart.png": "chart.png",
    });
  });

  test("is index.html if there is one, whatever else was chosen", () => {
    const files = named("a.html", "index.html");
    expect(startPages(files)).toHaveLength(1);
    expect(namesOf(files, files[0]?.id)).toEqual({ "a.html": "a.html", "index.html": "index.html" });
  });

  test("is the likeliest of several, unless another is chosen", () => {
    const files = named("b/index.html", "page10.html", "page9.html", "Index.HTM");
    expect(startPages(files).map(({ path }) => path)).toEqual([
      "Index.HTM",
      "page9.html",
      "page10.html",
      "b/index.html",
    ]);
    expect(namesOf(files)["Index.HTM"]).toBe("index.html");
    expect(namesOf(files, "id of page10.html")).toMatchObject({
      "page10.html": "index.html",
      "Index.HTM": "Index.HTM",
    });
  });

  test("in a folder becomes index.html when files leave their folders", () => {
    const files = named("site/report.html", "img/a b.png", "img/ä.png");
    expect(namesOf(files)["site/report.html"]).toBe("site/report.html");
    expect(namesOf(files, undefined, true)).toEqual({
      "site/report.html": "index.html",
      "img/a b.png": "img-a-b.png",
      "img/ä.png": "img-a.png",
    });
  });

  test("is missing without HTML files", () => {
    expect(arrange(named("a.css"), undefined, true).start).toBeUndefined();
  });
});

describe("moving files out of folders", () => {
  const page =
    '<link rel=stylesheet href="css/main.css"><a href="old name.html">self</a><script>fetch("data/x.json")</script>';
  const files = filesOf({
    "old name.html": page,
    "css/main.css": "body{background:url(../img/ä.png)}",
    "img/ä.png": "",
    "data/x.json": "{}",
  });

  test("updates HTML and CSS, and tells what scripts mention", async () => {
    const { names } = arrange(files, undefined, true);
    const { files: renamed, mentions } = await renameFiles(files, names);
    expect(renamed.map(({ path }) => path)).toEqual(["index.html", "css-main.css", "img-a.png", "data-x.json"]);
    expect(await renamed[0]?.source.text()).toBe(
      '<link rel=stylesheet href="css-main.css"><a href="index.html">self</a><script>fetch("data/x.json")</script>',
    );
    expect(await renamed[1]?.source.text()).toBe("body{background:url(img-a.png)}");
    expect(mentions).toEqual([{ in: "index.html", old: "data/x.json", name: "data-x.json" }]);
    expect(renamed[2]?.source).toBe(files[2]?.source);
  });

  test("leaves files alone that aren't UTF-8", async () => {
    const source = new Blob([new Uint8Array([0xe9, 0x3c])]);
    const [renamed] = (await renameFiles([{ id: "a", path: "a.html", source }], new Map([["a.html", "index.html"]])))
      .files;
    expect(renamed).toEqual({ id: "a", path: "index.html", source });
  });
});

describe("the preview", () => {
  const build = (contents: Readonly<Record<string, string>>, hasStorage = false) => {
    const files = filesOf(contents);
    const [start] = startPages(files);
    if (start === undefined) throw new Error("The test needs a page.");
    return buildPreview(files, { start, hasStorage });
  };
  const at = previewReference;

  test("marks references to other files, and leaves links to pages to the preview page", async () => {
    const { files, start, missing } = await build({
      "a.css": "@import 'b.css';p{background:url(img/c.png#x)}",
      "b.css": "",
      "img/c.png": "",
      "app.js": 'import x from "./lib.js"; import("./lib.js"); import "left"; const s = "./lib.js";',
      "lib.js": "",
      "index.html":
        '<link href=a.css?v=1><a href="other.html">o</a><a href="img/c.png">c</a><iframe src="other.html"></iframe><img srcset="img/c.png 2x, x.png 1x"><script src="https://cdn.example/x.js"></script>',
      "other.html": "",
    });
    const content = Object.fromEntries(files.map((file) => [file.path, file.content]));
    expect(start).toBe(5);
    expect(content["a.css"]).toBe(`@import '${at(1)}';p{background:url(${at(2)}#x)}`);
    expect(content["app.js"]).toBe(
      `import x from "${at(4)}"; import("${at(4)}"); import "left"; const s = "./lib.js";`,
    );
    expect(content["index.html"]).toBe(
      `<link href="${at(0)}"><a href="other.html">o</a><a href="${at(2)}">c</a><iframe src="${at(6)}"></iframe><img srcset="${at(2)} 2x, x.png 1x"><script src="https://cdn.example/x.js"></script>`,
    );
    expect(content["img/c.png"]).toBeInstanceOf(Blob);
    expect(missing).toEqual(["x.png"]);
    expect(files.map(({ type }) => type)).toContain("text/css");
  });

  test("has a stand-in for browser storage first, if wanted", async () => {
    const [{ content } = { content: "" }] = (await build({ "index.html": "<!doctype html><p>x" }, true)).files;
    expect(content).toStartWith("<!doctype html><script>");
    expect(content).toEndWith("</script><p>x");
  });
});

describe("files", () => {
  test.each([".DS_Store", "a/.git/config", "Thumbs.db", "__MACOSX/a.png"])("%s is hidden", (path) => {
    expect(isHidden(path)).toBe(true);
  });

  test.each(["index.html", "a.b/c.png", "thumbs.db.html"])("%s is not hidden", (path) => {
    expect(isHidden(path)).toBe(false);
  });

  test.each(["..", ".", "a b", "ä", "a/b", "", "a".repeat(256)])("%s is no name", (name) => {
    expect(isUsableName(name)).toBe(false);
  });

  test("may all be in one folder", () => {
    expect(commonFolder(["a/b.html", "a/c/d.png"])).toBe("a");
    expect(commonFolder(["a/b.html", "c.png"])).toBeUndefined();
    expect(commonFolder(["a.html"])).toBeUndefined();
    expect(commonFolder([])).toBeUndefined();
  });
});
