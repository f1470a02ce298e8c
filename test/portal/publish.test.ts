import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse } from "../../src/html/warnings/analyse.ts";
import { availableName, correctedName, isHidden, isUsableName } from "../../src/portal/publish/draft-files.ts";
import { remedyFor } from "../../src/portal/publish/remedies.ts";

describe("advice for the server's warnings", () => {
  const warningsOf = (html: string) => analyse(new Map([["index.html", html]])).warnings;

  test.each([
    "<base href=x>",
    "<img src=/a.png>",
    "<img src=b/a.png>",
    "<img src=a.png>",
    "<script>new Worker('a.js')</script>",
    "<script>indexedDB.open('a')</script>",
    "<a href=https://example.org>",
  ])("is left to the warning where it says all, as of %s", (html) => {
    const [warning = ""] = warningsOf(html);
    expect(warning).toContain(": ");
    expect(remedyFor(warning)).toBeUndefined();
  });

  test.each(["<script>localStorage.x</script>", "<script>document.cookie</script>"])(
    "is the box to tick for storage, as of %s",
    (html) => {
      expect(remedyFor(warningsOf(html)[0] ?? "")).toContain("Needs browser storage");
    },
  );

  test("is to start at the top when some warnings aren't shown", () => {
    const four = (path: string) => [1, 2, 3, 4].map((number) => `<img src=${path}${number}.png>`).join("");
    const uses = "localStorage.a;sessionStorage.b;document.cookie;indexedDB.c;caches.d;navigator.serviceWorker.e";
    const many = `<base>${["", "/", "../", "a/"].map(four).join("")}<script>${uses}</script>`;
    expect(remedyFor(warningsOf(many).at(-1) ?? "")).toContain("warnings above");
  });

  test.each([
    'visibility "public" was not applied: a new version takes its group\'s, which is "private".',
    'folder "Sales" was not applied: a new version stays where its group is filed.',
  ])("is known for %s", (warning) => {
    expect(remedyFor(warning)).toContain("Open the report");
  });

  test("is undefined for unknown warnings", () => {
    expect(remedyFor("index.html is printed upside down.")).toBeUndefined();
  });
});

describe("file names", () => {
  test.each([
    ["My chart (1).png", "My-chart-1.png"],
    ["Übersicht.html", "Ubersicht.html"],
    ["日本.png", "file.png"],
    ["日本", "file"],
    ["a.b c.tar.gz", "a.b-c.tar.gz"],
    ["..", "file"],
    ["‥.", "file"],
    [`${"ä".repeat(300)}.html`, `${"a".repeat(250)}.html`],
  ])("%s is corrected to %s", (name, corrected) => {
    expect(correctedName(name)).toBe(corrected);
  });

  test("corrected names are valid, with or without a number", () => {
    fc.assert(
      fc.property(
        fc.string({
          minLength: 1,
          unit: fc.constantFrom(".", "-", "a", "Z", "9", " ", "ä", "日", "‥", "\u0301", "\u{1F600}"),
        }),
        (name) => {
          const corrected = correctedName(name);
          expect(isUsableName(corrected)).toBe(true);
          const free = availableName(corrected, new Set([corrected]));
          expect(isUsableName(free)).toBe(true);
          expect(free).not.toBe(corrected);
        },
      ),
    );
  });

  test.each([".DS_Store", "a/.git/config", "Thumbs.db", "__MACOSX/a.png"])("%s is hidden", (path) => {
    expect(isHidden(path)).toBe(true);
  });

  test.each(["index.html", "a.b/c.png", "thumbs.db.html"])("%s is not hidden", (path) => {
    expect(isHidden(path)).toBe(false);
  });
});
