import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compareTexts } from "../../src/html/changes/compare-lines.ts";
import { createRows, type FoldRow, type LineRow, type Rows } from "../../src/portal/report/compare/diff-rows.ts";
import { piecesOf } from "../../src/portal/report/compare/line-pieces.ts";

const allRows = (rows: Rows): (LineRow | FoldRow)[] => Array.from({ length: rows.count }, (_, index) => rows.at(index));

const linesOf = (rows: readonly (LineRow | FoldRow)[]): LineRow[] =>
  rows.flatMap((row) => (row.kind === "fold" ? [] : [row]));

/** Formats the rows for comparison. */
const written = (rows: readonly (LineRow | FoldRow)[]) =>
  rows.map((row) =>
    row.kind === "fold" ? `fold ${row.count}` : `${{ same: " ", added: "+", removed: "-" }[row.kind]}${row.text}`,
  );

function rowsOf(oldText: string, newText: string, opened: readonly number[] = []): Rows {
  const comparison = compareTexts(oldText, newText);
  if (comparison === undefined) throw new Error("Too different.");
  return createRows(comparison, new Set(opened));
}

const text = fc
  .array(fc.oneof(fc.constantFrom("a", "b", "c", "", "a longer line", "ä"), fc.nat({ max: 30 }).map(String)), {
    maxLength: 40,
  })
  .map((lines) => lines.join("\n"));
const linesIn = (whole: string) => {
  const lines = whole.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

describe("a comparison of two texts", () => {
  test("has all lines of both, in order and with their numbers, when nothing is folded", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const everyFold = Array.from({ length: 50 }, (_, index) => index);
        const lines = linesOf(allRows(rowsOf(before, after, everyFold)));
        const old = lines.filter(({ kind }) => kind !== "added");
        const fresh = lines.filter(({ kind }) => kind !== "removed");
        expect(old.map((line) => line.text)).toEqual(linesIn(before));
        expect(fresh.map((line) => line.text)).toEqual(linesIn(after));
        expect(old.map(({ oldNumber }) => oldNumber)).toEqual(old.map((_, index) => index + 1));
        expect(fresh.map(({ newNumber }) => newNumber)).toEqual(fresh.map((_, index) => index + 1));
      }),
    );
  });

  test("hides only unchanged lines, and counts them", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const rows = allRows(rowsOf(before, after));
        const hidden = rows.reduce((sum, row) => sum + (row.kind === "fold" ? row.count : 0), 0);
        const old = linesOf(rows).filter(({ kind }) => kind !== "added");
        expect(old.length + hidden).toBe(linesIn(before).length);
      }),
    );
  });

  test("folds lines far from any change, and expands them on request", () => {
    const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
    const after = before.with(14, "line fifteen");
    const rows = rowsOf(before.join("\n"), after.join("\n"));
    expect(written(allRows(rows))).toEqual([
      "fold 11",
      ...[" line 12", " line 13", " line 14", "-line 15", "+line fifteen", " line 16", " line 17", " line 18"],
      "fold 12",
    ]);
    expect(rows.changes).toEqual([4]);
    const last = rows.at(rows.count - 1);
    const opened = rowsOf(before.join("\n"), after.join("\n"), last.kind === "fold" ? [last.id] : []);
    expect(opened.count).toBe(rows.count + 11);
    expect(opened.at(opened.count - 1)).toMatchObject({ kind: "same", text: "line 30", oldNumber: 30, newNumber: 30 });
  });

  test("finds few changes in a hundred thousand lines", () => {
    const before = Array.from({ length: 100_000 }, (_, index) => `row ${index}`);
    const after = before.toSpliced(50_000, 2, "here").with(10, "there");
    const rows = rowsOf(before.join("\n"), after.join("\n"));
    expect(rows.changes.length).toBe(2);
  });

  test("reports that everything has changed, at any size", () => {
    const lines = (word: string) =>
      Array.from({ length: 50_000 }, (_, index) => `${index % 9 === 0 ? "row" : word} ${index}`);
    const rows = rowsOf(lines("one").join("\n"), lines("other").join("\n"));
    const changed = linesOf(allRows(rows)).filter(({ kind }) => kind !== "same");
    expect(changed.length).toBe(2 * (50_000 - Math.ceil(50_000 / 9)));
    expect(changed[0]).toMatchObject({ kind: "removed", text: "one 1", counterpart: "other 1" });
  });

  test("finds any number of moved lines", () => {
    const before = Array.from({ length: 90_000 }, (_, index) => `row ${index}`);
    const swapped = before.map((_, index) => before[index % 10 < 2 ? index + 1 - 2 * (index % 10) : index]);
    const rows = rowsOf(before.join("\n"), swapped.join("\n"));
    expect(rows.changes.length).toBe(2 * 9_000);
    const [one, other] = [before.slice(0, 45_000), before.slice(45_000)];
    const turned = linesOf(allRows(rowsOf(before.join("\n"), [...other, ...one].join("\n"))));
    expect(turned.filter(({ kind }) => kind === "added").length).toBe(45_000);
    expect(turned.filter(({ kind }) => kind === "removed").length).toBe(45_000);
  });

  test("gives up on many repeated lines in another order", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `row ${(index * 7919) % 1_000}`);
    expect(compareTexts(lines.join("\n"), lines.toReversed().join("\n"))).toBeUndefined();
  });
});

describe("the pieces of a line", () => {
  test("mark what the other line lacks", () => {
    expect(piecesOf("width: 75%", "width: 64%")).toMatchObject({ before: "width: ", different: "75", after: "%" });
    expect(piecesOf("😀 one", "😁 one")).toMatchObject({ before: "", different: "😀", after: " one" });
  });

  test("show the difference in a line that is a whole document", () => {
    const line = "x".repeat(2_000_000);
    const changed = `${line}CHANGED${line}`;
    const pieces = piecesOf(changed, `${line}${line}`);
    expect(pieces.different).toBe("CHANGED");
    const shown = pieces.before + pieces.different + pieces.after;
    expect(shown.length).toBeLessThan(1_000);
    expect(pieces.skippedBefore + shown.length + pieces.skippedAfter).toBe(changed.length);
  });
});
