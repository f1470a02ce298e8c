import { describe, expect, test } from "bun:test";
import { compareTexts } from "../../src/html/changes/compare-lines.ts";
import { showPair } from "../../src/mcp/line-pairs.ts";
import { readPage, textOfPage } from "../../src/mcp/parts.ts";
import { findLines, findPhrase } from "../../src/mcp/passages.ts";
import { createStructure, type RowRange, rowsOfSeparated } from "../../src/mcp/structure.ts";
import { unifiedDiff } from "../../src/mcp/unified-diff.ts";

const PAGE = `<!doctype html><title>T</title><h1>Sales <b>of</b> May</h1><p>Words</p>
<table><tr><th>Region<th>Sum<tr><td>North<td>1 200<table><tr><td>inner</table><tr><td>South<td>800</table>
<h2>Returns</h2><h3 hidden>Secret</h3><p>None`;

async function structureOf(html: string, range?: RowRange) {
  const { sink, headings, tables } = createStructure(range);
  await readPage(new Response(html), sink);
  return { headings, tables };
}

describe("the structure of a page", () => {
  test("has its visible headings, each where it is in the text", async () => {
    const { headings } = await structureOf(PAGE);
    expect(headings.map(({ level, text }) => [level, text])).toEqual([
      [1, "Sales of May"],
      [2, "Returns"],
    ]);
    const text = await textOfPage(new Response(PAGE));
    for (const heading of headings) expect(text.slice(heading.offset)).toMatch(/^#+ (Sales of May|Returns)/);
  });

  test("has its tables with the requested rows, which its headings aren't counted among", async () => {
    const { tables } = await structureOf(PAGE, { table: 1, from: 2, to: 9 });
    expect(tables).toMatchObject([
      { headings: [["Region", "Sum"]], rowCount: 2, rows: [{ index: 2, cells: ["South", "800"] }] },
      { headings: [], rowCount: 1, first: ["inner"], rows: [] },
    ]);
  });

  test.each([
    ["rows of a head, also with cells of data", "<thead><tr><td>A<tr><td>B<tbody><tr><td>1", [["A"], ["B"]], 1],
    ["rows of headings alone", "<tr><th>A<th>B<tr><th>1<td>2", [["A", "B"]], 1],
    ["only those at the start", "<tr><td>1<tr><th>A<tr><td>2", [], 3],
    ["no more than ten", "<tr><th>A".repeat(12), Array.from({ length: 10 }, () => ["A"]), 2],
    ["no empty row", "<tr></tr><tr><td>1", [], 2],
  ])("takes as headings %s", async (_, rows, headings, rowCount) => {
    const { tables } = await structureOf(`<table>${rows}</table>`);
    expect(tables).toMatchObject([{ headings, rowCount }]);
  });

  test("ends however the page goes on", async () => {
    for (const html of ["<table>".repeat(5000), "</table></tr></td>", "<table><td>a<td>b", "<h1>".repeat(5000)]) {
      const { tables, headings } = await structureOf(html);
      expect(tables.length).toBeLessThanOrEqual(300);
      expect(headings.length).toBeLessThanOrEqual(300);
    }
  });
});

test("rows of separated values have their cells, also quoted ones", async () => {
  const text = 'a,b\r\n"x, ""y""",1\n"two\nlines",2\nlast,3';
  expect(await rowsOfSeparated(text, ",", { from: 1, to: 2 })).toMatchObject({
    headings: [["a", "b"]],
    rowCount: 3,
    rows: [
      { index: 1, cells: ['x, "y"', "1"] },
      { index: 2, cells: ["two\nlines", "2"] },
    ],
  });
});

describe("passages", () => {
  test("are found with their offsets, in any case and across line breaks", async () => {
    const text = `${"x ".repeat(200_000)}Total\n  amount: 7 ${"y ".repeat(200_000)}TOTAL AMOUNT: 8`;
    const { passages, count } = await findPhrase(text, "total amount", 20);
    expect(count).toBe(2);
    expect(passages.map(({ offset }) => text.slice(offset, offset + 5))).toEqual(["Total", "TOTAL"]);
  });

  test("keep lines apart, which may be rows of a table", async () => {
    const { passages } = await findPhrase("Store 349 | 1047\n  Store 350  | 1050\nStore 351 | 1053", "1050", 20);
    expect(passages.map(({ text }) => text)).toEqual(["Store 349 | 1047\nStore 350 | 1050\nStore 351 | 1053"]);
  });

  test("are found with a hyphen for a space, and the other way round", async () => {
    const text = "The break-even price; we break even.";
    for (const words of ["break even", "break-even", "BREAK  EVEN"]) {
      expect((await findPhrase(text, words, 20)).count).toBe(2);
    }
    expect((await findPhrase("from 3 to 5", "3-5", 20)).count).toBe(0);
  });

  test("are lines that have all words, in any order", async () => {
    const text = "Customer 7 | Riga | churned\nCustomer 8 | Riga | active\nchurned, says Riga\nRiga\nchurned";
    const { passages, count } = await findLines(text, "churned RIGA", 1);
    expect({ passages, count }).toEqual({ passages: [{ offset: 0, text: "Customer 7 | Riga | churned" }], count: 2 });
    expect((await findLines(text, "Riga", 20)).count).toBe(0);
    expect((await findLines(`${"churned ".repeat(2_000)}Riga`, "churned Riga", 20)).count).toBe(0);
  });

  test("that overlap are one, up to a length", async () => {
    const { passages, count, shown } = await findPhrase(`the price ${"and the price ".repeat(10)}`, "price", 20);
    expect({ passages: passages.length, count, shown }).toEqual({ passages: 1, count: 11, shown: 11 });
    const many = await findPhrase("price ".repeat(10_000), "price", 2);
    expect(many.passages.map(({ text }) => text.length <= 1000)).toEqual([true, true]);
    expect(many.count).toBe(10_000);
    expect(many.shown).toBeLessThan(1000);
  });

  test("are literal, and found once at the edge of a window", async () => {
    const edge = 256 * 1024;
    for (const shift of [-3, -1, 0]) {
      const text = `${"-".repeat(edge + shift)}a.b(c)${"-".repeat(100)}`;
      const { passages, count } = await findPhrase(text, "a.b(c)", 20);
      expect({ count, offset: passages[0]?.offset }).toEqual({ count: 1, offset: edge + shift });
    }
  });
});

describe("two different lines", () => {
  const long = (middle: string) => `${"word ".repeat(400)}${middle}${" word".repeat(400)}`;

  test.each([
    ["a figure in a long line", long("2150"), long("2250")],
    ["an addition at the end of a long line", "word ".repeat(400), `${"word ".repeat(400)}!`],
    ["a trailing space", "a", "a "],
    ["a no-break space", "1 200", "1\u00a0200"],
    ["a carriage return", "a\r", "a"],
    ["a zero-width space", "ab", "a\u200bb"],
    ["a composed letter", "caf\u00e9", "cafe\u0301"],
    ["a Cyrillic letter", "a", "\u0430"],
  ])("never look the same: %s", (_, before, after) => {
    const [old, fresh] = showPair(before, after);
    const visible = (line: string) => line.replace(/[^!-~]+/g, " ").trim();
    expect(visible(old)).not.toBe(visible(fresh));
    expect(Math.max(old.length, fresh.length)).toBeLessThan(600);
  });

  test("are centered on their change in a diff", () => {
    const comparison = compareTexts(long("2150"), long("2250"));
    if (comparison === undefined) throw new Error("Small texts can always be compared.");
    const { text } = unifiedDiff(comparison, { old: "a", new: "b" }, 3);
    expect(text).toMatch(/\n-\(\d+ characters\) ….* 2150 .*… \(\d+ more characters\)\n\+.* 2250 /);
  });
});
