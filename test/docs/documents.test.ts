import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { SETTINGS } from "../../src/settings/table.ts";

const ROOT = resolve(import.meta.dir, "../..");
const textOf = (path: string) => Bun.file(join(ROOT, path)).text();

const PATTERNS = ["*.md", "docs/**/*.md", "deploy/**/*.md", "client/**/*.md", ".github/**/*.md"];
const documents = PATTERNS.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })]).sort();

/** Returns the anchors that GitHub gives to the headings of a Markdown file. */
const anchorsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );

async function isBroken(link: string, document: string): Promise<boolean> {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? join(ROOT, document) : join(ROOT, dirname(document), path);
  if (!existsSync(target)) return true;
  return anchor !== undefined && !anchorsOf(await Bun.file(target).text()).includes(anchor);
}

describe("documents", () => {
  test.each(documents)("%s links to files and headings that exist", async (document) => {
    const links = Array.from((await textOf(document)).matchAll(/\]\(([^)\s:]+)\)/g), ([, link = ""]) => link);
    const broken = await Promise.all(links.map(async (link) => ((await isBroken(link, document)) ? [link] : [])));
    expect(broken.flat()).toEqual([]);
  });

  test("docs/settings.md lists each setting once, with its default", async () => {
    const text = await textOf("docs/settings.md");
    const rows = [...text.matchAll(/^\| (`VITRINE_.+?) \| (.+?) \|/gm)].map(([, names = "", defaults = ""]) => ({
      names: names.replaceAll("`", "").split(", "),
      defaults: defaults.replaceAll("`", "").split(", "),
    }));
    const listed = rows
      .flatMap(({ names }) => names)
      .filter((name) => !["VITRINE_URL", "VITRINE_TOKEN", "VITRINE_PROFILE"].includes(name));
    expect(listed.sort()).toEqual(Object.keys(SETTINGS).sort());
    const numbers = Object.entries(SETTINGS).filter(([, setting]) => /^\d+([KMGT]?B)?$/.test(setting.default));
    expect(numbers.length).toBeGreaterThan(10);
    for (const [name, setting] of numbers) {
      const row = rows.find(({ names }) => names.includes(name));
      expect({ name, default: row?.defaults[row.names.indexOf(name)] }).toEqual({ name, default: setting.default });
    }
  });

  test("docs/architecture.md names files and folders that exist", async () => {
    const text = await textOf("docs/architecture.md");
    const sources = [...new Bun.Glob("src/**/*").scanSync({ cwd: ROOT })];
    const folders = new Set(text.match(/\bsrc\/[\w./-]*\/(?=\W)/g));
    const files = new Set(text.match(/[\w./-]+\.tsx?\b/g));
    expect(folders.size).toBeGreaterThan(5);
    expect(files.size).toBeGreaterThan(40);
    expect([...folders].filter((folder) => !existsSync(join(ROOT, folder)))).toEqual([]);
    // Diagrams give the end of a path only.
    expect([...files].filter((file) => !sources.some((source) => `/${source}`.endsWith(`/${file}`)))).toEqual([]);
  });
});
