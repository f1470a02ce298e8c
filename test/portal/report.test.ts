import { describe, expect, test } from "bun:test";
import type { ScrollState } from "../../src/client/definitions.ts";
import { chooseCodes } from "../../src/portal/report/compare/choose-codes.ts";
import { compareFiles } from "../../src/portal/report/compare/compared-files.ts";
import { linkScrolling } from "../../src/portal/report/compare/link-scrolling.ts";
import { describeTrouble, needsStorage, problemLines, type Trouble } from "../../src/portal/report/problems/trouble.ts";

describe("the versions that are compared", () => {
  const versions = [3, 2, 1].map((number) => ({ code: `v${number}`, version_no: number }));

  test.each([
    ["the current version with the one before it", "v3", {}, { before: "v2", after: "v3" }],
    ["after a restore, the current version with the newest", "v1", {}, { before: "v1", after: "v3" }],
    ["the current version with the newest, also in between", "v2", {}, { before: "v2", after: "v3" }],
    ["the shown version with the current one", "v3", { version: "v1" }, { before: "v1", after: "v3" }],
    ["the shown version, newer than the current one", "v1", { version: "v2" }, { before: "v1", after: "v2" }],
    ["a version older than those that are loaded", "v3", { version: "v0" }, { before: "v0", after: "v3" }],
    ["the versions of the address", "v3", { version: "v1", with: "v2" }, { before: "v2", after: "v1" }],
    ["the current version with that of the address", "v3", { with: "v1" }, { before: "v1", after: "v3" }],
  ])("are %s", (_, current, asked, expected) => {
    expect(chooseCodes(current, versions, asked)).toEqual(expected);
  });

  test("are unknown without another version", () => {
    expect(chooseCodes("v1", [], {})).toBeUndefined();
    expect(chooseCodes("v3", versions.slice(0, 1), {})).toBeUndefined();
  });
});

test("changed files are listed first, then added, removed and unchanged ones", () => {
  const file = (path: string, sha256: string) => ({ path, sha256, size: 3 });
  const before = [file("index.html", "same"), file("z.css", "old"), file("gone.txt", "x"), file("a.css", "same")];
  const after = [file("index.html", "same"), file("z.css", "new"), file("fresh.txt", "y"), file("a.css", "same")];
  expect(compareFiles(before, after).map(({ path, status }) => `${path} ${status}`)).toEqual([
    "z.css changed",
    "fresh.txt added",
    "gone.txt removed",
    "index.html same",
    "a.css same",
  ]);
  const changed = compareFiles(before, [file("index.html", "new"), ...after.slice(1)]);
  expect(changed.slice(0, 2).map(({ path }) => path)).toEqual(["index.html", "z.css"]);
});

describe("linked scrolling", () => {
  /** A page of a height that scrolls at once and says so, as a framed page does. */
  function createPage(height: number) {
    const listeners = new Set<(state: ScrollState) => void>();
    const page = {
      top: 0,
      height,
      commands: 0,
      isLoaded: true,
      onScroll(listener: (state: ScrollState) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      tell() {
        for (const listener of listeners) listener({ left: 0, top: page.top, width: 100, height: page.height });
      },
      scroll(top: number) {
        page.top = Math.min(top, page.height);
        page.tell();
      },
      scrollTo({ top }: { top: number }) {
        page.commands++;
        if (page.isLoaded) page.scroll(top);
      },
    };
    return page;
  }

  function link(heights: readonly [number, number]) {
    const clock = { now: 0 };
    const [one, two] = [createPage(heights[0]), createPage(heights[1])];
    const end = linkScrolling(one, two, () => clock.now);
    return { clock, one, two, end };
  }

  test("keeps both pages at the same place, whichever is scrolled", () => {
    const { clock, one, two, end } = link([1_000, 1_000]);
    one.tell();
    two.tell();
    one.scroll(300);
    expect(two.top).toBe(300);
    clock.now = 1_000;
    two.scroll(200);
    expect(one.top).toBe(200);
    end();
    two.scroll(700);
    expect(one.top).toBe(200);
  });

  test("follows a reader who scrolls the other page at once", () => {
    const { one, two } = link([1_000, 1_000]);
    one.tell();
    two.tell();
    one.scroll(300);
    two.scroll(800);
    expect(one.top).toBe(800);
    one.scroll(100);
    expect(two.top).toBe(100);
  });

  test("lets a longer page go on where the shorter one ends", () => {
    const { one, two } = link([1_000, 400]);
    one.tell();
    two.tell();
    one.scroll(900);
    expect([one.top, two.top]).toEqual([900, 400]);
    expect(one.commands).toBe(0);
  });

  test("moves a page that loads later to the place of the other, and ignores growing pages", () => {
    const { clock, one, two } = link([1_000, 1_000]);
    two.isLoaded = false;
    one.tell();
    one.scroll(500);
    two.isLoaded = true;
    two.tell();
    expect([one.top, two.top]).toEqual([500, 500]);
    clock.now = 1_000;
    two.height = 2_000;
    two.tell();
    expect(one.top).toBe(500);
    expect(one.commands).toBe(0);
  });
});

describe("the trouble of a report", () => {
  const WARNING = 'index.html line 3: localStorage is blocked in reports. Guard it, or publish with storage "memory".';
  const report = (storage: "none" | "memory", warnings: string[] = []) => ({ storage, warnings });
  const trouble = (found: Partial<Trouble["findings"]>, problem?: Trouble["problem"]): Trouble => ({
    findings: { isBlank: undefined, errors: [], deniedStorage: [], missing: [], ...found },
    problem,
  });

  test.each([
    ["nothing is known yet", report("none", [WARNING]), trouble({}), undefined],
    ["it shows something, whatever the warnings", report("none", [WARNING]), trouble({ isBlank: false }), undefined],
    [
      "it fails without storage",
      report("none"),
      trouble({ isBlank: false }, "storage"),
      "This report needs browser storage.",
    ],
    [
      "it is blank and was warned of storage",
      report("none", [WARNING]),
      trouble({ isBlank: true }, "blank"),
      "This report needs browser storage.",
    ],
    [
      "it is blank although it has storage",
      report("memory", [WARNING]),
      trouble({ isBlank: true }, "blank"),
      "This report is blank.",
    ],
    [
      "it threw and is blank",
      report("none"),
      trouble({ isBlank: true, errors: ["x is not defined"] }, "error"),
      "This report is blank because of an error.",
    ],
    ["it threw and shows something", report("none"), trouble({ isBlank: false, errors: ["x"] }, "error"), undefined],
    [
      "files are missing",
      report("none"),
      trouble({ isBlank: true, missing: ["a.js", "b.js"] }, "missing"),
      "This report is blank because files didn't load.",
    ],
  ] as const)("is described when %s", (_, subject, found, expected) => {
    expect(describeTrouble(subject, found)).toBe(expected);
    expect(needsStorage(subject, found)).toBe(expected === "This report needs browser storage.");
  });

  test("lists kept warnings before what the page reported", () => {
    expect(
      problemLines(report("none", ["A."]), trouble({ errors: ["b", "Script error."], missing: ["c.js"] })),
    ).toEqual(["A.", "Error in the report: “b”", "Didn't load: “c.js”"]);
  });
});
