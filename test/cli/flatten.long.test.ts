import { describe, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { flatten } from "../../src/cli/flatten.ts";
import { chooseNames } from "../../src/html/flat-names.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

describe("names of flattened files", () => {
  test("are derived from the path, and never collide with another file", () => {
    const names = chooseNames(["a-b.png", "a/b.png", "a b.png", "index.html", "x/index.html", "é/ü.css", "x/.hidden"]);
    expect(Object.fromEntries(names)).toEqual({
      "a-b.png": "a-b.png",
      "a b.png": "a-b-2.png",
      "a/b.png": "a-b-3.png",
      "index.html": "index.html",
      "x/index.html": "x-index.html",
      "x/.hidden": "x.hidden",
      "é/ü.css": "e-u.css",
    });
    expect(new Set(names.values()).size).toBe(names.size);
  });

  test("differ even if no character of the original can be kept", () => {
    const names = [...chooseNames(["/", "四", "月", "../.."]).values()];
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
  });
});

const encode = (text: string) => new TextEncoder().encode(text);

async function flattened(files: Readonly<Record<string, string | Uint8Array>>) {
  const sources = Object.entries(files).map(([name, content]) => ({
    name,
    bytes: typeof content === "string" ? encode(content) : content,
  }));
  const { files: flat, summary, notes } = await flatten(sources);
  return {
    summary,
    notes,
    files: Object.fromEntries(flat.map(({ name, bytes }) => [name, Buffer.from(bytes).toString("latin1")])),
  };
}

describe("flattening", () => {
  test("leaves external references alone, and bytes that need no change", async () => {
    const page =
      '\u{feff}<a href="/a/b">1</a><a href="#x">2</a><a href="https://x.org/a/b.png">3</a><img src="missing/x.png"><a href="">4</a>\r\n';
    const { files, notes, summary } = await flattened({ "index.html": page, "a/b.png": "b" });
    expect(files["index.html"]).toBe(Buffer.from(page).toString("latin1"));
    expect(notes).toEqual([]);
    expect(summary).toBe("Moved 1 file next to index.html and updated 0 references.");
  });

  test("resolves references relative to the file that contains them", async () => {
    const { files } = await flattened({
      "index.html": '<a href="./sub/page.html#top">p</a><a href="sub/">i</a><a href="./own.css">c</a>',
      "sub/page.html": '<link href="../own.css"><img src="pic.png?v=1"><a href="../index.html">up</a>',
      "sub/index.html": "",
      "sub/pic.png": "",
      "own.css": "a{background:url('sub/pic.png')}",
      "sub/deep/two.css": "@import '../../own.css'; a{background:url(../pic.png)}",
    });
    expect(files).toEqual({
      "index.html": '<a href="sub-page.html#top">p</a><a href="sub-index.html">i</a><a href="./own.css">c</a>',
      "sub-page.html": '<link href="own.css"><img src="sub-pic.png?v=1"><a href="index.html">up</a>',
      "sub-index.html": "",
      "sub-pic.png": "",
      "own.css": "a{background:url('sub-pic.png')}",
      "sub-deep-two.css": "@import 'own.css'; a{background:url(sub-pic.png)}",
    });
  });

  test("lists the scripts and files that it could not adapt", async () => {
    const { files, notes } = await flattened({
      "index.html": '<script>fetch("data/x.json")</script>',
      "lib/app.js": 'import "./part.js"',
      "lib/part.js": "",
      "data/x.json": "{}",
      "old.html": new Uint8Array([0xe9]),
    });
    expect(files["lib-app.js"]).toBe('import "./part.js"');
    expect(notes).toContain('A script in "index.html" refers to "data/x.json". Change that to "data-x.json".');
    expect(notes).toContain('A script in "lib/app.js" refers to "lib/part.js". Change that to "lib-part.js".');
    expect(notes).toContain('"old.html" isn\'t UTF-8, so its references were not updated.');
  });

  test("mentions icons that scripts set by their names, and nothing that a page only shows", async () => {
    const { notes } = await flattened({
      "index.html": `<code>"data/x.json"</code><p title='"data/x.json"'><b onclick="open('data/y.json')">`,
      "lib/leaflet.js": 'options={iconUrl:"marker-icon.png",shadowUrl:"none.png"}',
      "lib/images/marker-icon.png": "",
      "data/x.json": "{}",
      "data/y.json": "{}",
    });
    expect(notes).toEqual([
      'A script in "index.html" refers to "data/y.json". Change that to "data-y.json".',
      'A script in "lib/leaflet.js" refers to "lib/images/marker-icon.png". Change that to "lib-images-marker-icon.png".',
    ]);
  });
});

test("says nothing about what a library finds by itself", async () => {
  const { notes } = await flattened({
    "index.html": "<script src=lib/leaflet.js></script>",
    "lib/leaflet.js": `find=(e)=>getComputedStyle(e)["background-image"];icon("marker-icon.png");e=$('link[href$="leaflet.css"]');cut(e,"leaflet.css".length)`,
    "lib/leaflet.css": ".leaflet-default-icon-path{background-image:url(images/marker-icon.png)}",
    "lib/images/marker-icon.png": "",
  });
  expect(notes).toEqual([]);
});

describeIf("vitrine publish --flatten", chromiumUnavailable(), () => {
  const desk = use(openDesk);

  const report = {
    "index.html": `<!doctype html><title>Deep</title><link rel="stylesheet" href="css/main.css">
<script src="js/app.js"></script><img id="plain" src="img/a b.svg"><img id="set" srcset="img/a%20b.svg 1x"><p>styled`,
    "css/main.css": '@import "more/colours.css"; body{background-image:url(../img/a\\ b.svg)}',
    "css/more/colours.css": "p{color:rgb(1, 2, 3)}",
    "js/app.js": "addEventListener('load', () => document.body.dataset.ran = 'yes')",
    "img/a b.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="7" height="5"/>',
    ".git/config": "secret",
  };

  test("is suggested if directories or names require it", async () => {
    const name = await desk.write(report);
    const { code, stdout, stderr } = await desk.run(`publish ${name}`);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("--flatten");
    expect((await desk.run(`publish ${await desk.write({ "index.html": "<p>", "a b": "" })}`)).stderr).toContain(
      "--flatten",
    );
  });

  test("says once what a script refers to", async () => {
    const name = await desk.write({ "index.html": '<script>fetch("data/x.json")</script>', "data/x.json": "1" });
    expect((await desk.run(`publish ${name} --flatten`)).stderr).toBe(
      'Moved 1 file next to index.html and updated 0 references.\nWarning: A script in "index.html" refers to "data/x.json". Change that to "data-x.json".\n',
    );
  });

  test("publishes a report that shows what the directory shows", async () => {
    const { code, stdout, stderr } = await desk.run(`publish ${await desk.write(report)} --flatten --public`);
    expect(code).toBe(0);
    expect(stderr).toContain("Moved 4 files next to index.html and updated 6 references.\n");
    expect(stderr).toContain("Skipped 1 hidden file: .git\n");
    expect(stderr).not.toContain("Warning");
    await desk.run(`get ${stdout.trim()} -o flat`);
    const names = ["css-main.css", "css-more-colours.css", "img-a-b.svg", "index.html", "js-app.js"];
    expect((await readdir(join(desk.directory, "flat"))).sort()).toEqual(names);
    await using chromium = await launchChromium();
    const page = await chromium.newPage();
    await page.goto(stdout.trim());
    const seen = await page.evaluate(`({
      ran: document.body.dataset.ran,
      widths: [...document.images].map((image) => image.naturalWidth),
      colour: getComputedStyle(document.querySelector("p")).color,
      background: getComputedStyle(document.body).backgroundImage,
    })`);
    expect(seen).toEqual({
      ran: "yes",
      widths: [7, 7],
      colour: "rgb(1, 2, 3)",
      background: `url("${stdout.trim()}img-a-b.svg")`,
    });
  });
});
