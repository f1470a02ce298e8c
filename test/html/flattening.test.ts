import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { chooseNames } from "../../src/html/flat-names.ts";
import { adaptText } from "../../src/html/flattening.ts";
import { normalizePath, relativePath, resolvePath } from "../../src/html/paths.ts";

describe("flat names", () => {
  test("give index.html to the start page, and to no other", () => {
    expect(Object.fromEntries(chooseNames(["index.html", "a/b.html", "a/index.html"], "a/b.html"))).toEqual({
      "index.html": "index-2.html",
      "a/b.html": "index.html",
      "a/index.html": "a-index.html",
    });
  });

  test("have no hyphens where something was left out at an edge", () => {
    const paths = ["assets/chart (1).png", "(1).png", "世界.png", "a-.png"];
    expect([...chooseNames(paths).entries()].filter(([path]) => path !== "a-.png")).toEqual([
      ["(1).png", "1.png"],
      ["assets/chart (1).png", "assets-chart-1.png"],
      ["世界.png", "-.png"],
    ]);
  });

  test("are valid and different, whatever the paths are", () => {
    const part = fc.string({
      minLength: 1,
      maxLength: 6,
      unit: fc.constantFrom(".", "-", "a", "9", " ", "ä", "日", "\u0301"),
    });
    const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
    fc.assert(
      fc.property(fc.uniqueArray(path, { maxLength: 12 }), (paths) => {
        const names = [...chooseNames(paths).values()];
        expect(new Set(names).size).toBe(paths.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9._-]+$/);
      }),
    );
  });
});

describe("adapted references", () => {
  const names = new Map([
    ["index.html", "index.html"],
    ["img/a (1).png", "img-a-1.png"],
    ["js/app.js", "js-app.js"],
  ]);

  test("keep queries and fragments, and leave what leads elsewhere", () => {
    const { text, changed } = adaptText(
      "index.html",
      '<img src="img/a%20(1).png?v#x"><img src="/img/a.png"><a href="mailto:img/x"></a><a href="#img"></a>',
      names,
    );
    expect(text).toBe(
      '<img src="img-a-1.png?v#x"><img src="/img/a.png"><a href="mailto:img/x"></a><a href="#img"></a>',
    );
    expect(changed).toBe(1);
  });

  test("are looked for in scripts, whatever characters names have", () => {
    expect(
      adaptText("js/app.js", 'load("img/a (1).png"); load("../img/a (1).png?x"); load("img/a")', names).mentions,
    ).toEqual([{ old: "img/a (1).png", name: "img-a-1.png" }]);
  });
});

describe("paths", () => {
  test.each([
    ["", "a.css", "a.css"],
    ["index.html", "./a/../b.css", "b.css"],
    ["x/y/z.html", "../b.css", "x/b.css"],
    ["x/z.html", "../../b.css", "../b.css"],
  ])("from %p, %p means %p", (from, reference, path) => {
    expect(resolvePath(from, reference)).toBe(path);
  });

  test("relative ones lead back to where they came from", () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"));
    fc.assert(
      fc.property(path, path, (directory, target) => {
        expect(normalizePath(`${directory}/${relativePath(directory, target)}`)).toBe(target);
      }),
    );
  });
});
