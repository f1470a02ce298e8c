import { expect, test } from "bun:test";
import { breathe, compareTexts } from "../../src/client/compare-texts.ts";
import { parseJson } from "../../src/hosts/http/body.ts";
import { partOfPage } from "../../src/mcp/parts.ts";
import { unifiedDiff } from "../../src/mcp/unified-diff.ts";

const MEBIBYTE = 1024 * 1024;
/** Milliseconds of processor time between two turns of others; a server holds nobody up for longer. */
const LONGEST = 50;

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** The longest time for which some work let nobody else have a turn; the quickest of three goes, as others are at work too. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  const holds: number[] = [];
  for (let go = 0; go < 3; go++) holds.push(await holdOf(work));
  return Math.min(...holds);
}

async function holdOf(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.cpuUsage();
  let isOver = false;
  const beat = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (!isOver) setTimeout(beat);
  };
  setTimeout(beat);
  await breathe();
  await work();
  await breathe();
  isOver = true;
  return longest;
}

test.each([
  ["paragraphs", filled("<p>Some words &amp; more</p>\n", 10 * MEBIBYTE)],
  ["tags", filled("<a>", 10 * MEBIBYTE)],
  ["half tags", filled("<", 4 * MEBIBYTE)],
  ["half entities", filled("&a", 10 * MEBIBYTE)],
  ["half assignments", `<p a${filled("= ", 10 * MEBIBYTE)}`],
  ["one attribute", `<img src="${filled("a", 10 * MEBIBYTE)}`],
  ["one script", `<script>${filled("</scrip", 10 * MEBIBYTE)}`],
  ["one comment", `<!--${filled("--", 10 * MEBIBYTE)}`],
])("to find the text of a page of 10 MB of %s holds nobody up", async (_, html) => {
  const work = () => partOfPage(new Response(html), { offset: Number.MAX_SAFE_INTEGER - 1000, limit: 1000 });
  expect(await longestHold(work)).toBeLessThan(LONGEST);
});

const lines = (line: (index: number) => string) => Array.from({ length: 20_000 }, (_, index) => line(index)).join("\n");

test.each([
  ["all different", lines((index) => `a ${index}`), lines((index) => `b ${index}`)],
  [
    "every other one",
    lines((index) => (index % 2 ? "" : `a ${index}`)),
    lines((index) => (index % 2 ? "" : `b ${index}`)),
  ],
  ["in reverse", lines((index) => `a ${index}`), lines((index) => `a ${20_000 - index}`)],
  ["there twice, in reverse", lines((index) => `a ${index % 10_000}`), lines((index) => `a ${-index % 10_000}`)],
  [
    "in another order between lines that stay",
    lines((index) => (index % 2_000 === 0 ? `here ${index}` : `a ${(index * 7_919) % 997}`)),
    lines((index) => (index % 2_000 === 0 ? `here ${index}` : `a ${(index * 7_907) % 997}`)),
  ],
  ["one long line", filled("a", MEBIBYTE), filled("b", MEBIBYTE)],
])("to compare as much as may be compared, %s, holds nobody up", async (_, before, after) => {
  const work = async () => {
    const comparison = await compareTexts(before, after, new AbortController().signal);
    await breathe();
    if (comparison !== undefined) unifiedDiff(comparison, { old: "a", new: "b" }, 3);
  };
  expect(await longestHold(work)).toBeLessThan(LONGEST);
});

test.each([
  ["a page", JSON.stringify({ content: filled('<p class="a">x</p>\n', 1.7 * MEBIBYTE) })],
  ["quotes", `"${filled('\\"', 2 * MEBIBYTE - 2)}"`],
  ["backslashes", `"${filled("\\\\", 2 * MEBIBYTE - 2)}"`],
  ["empty texts", filled('""', 2 * MEBIBYTE)],
  ["nothing but values", `[${filled("0,", 2 * MEBIBYTE - 4)}0]`],
  ["nothing but depth", filled("[", 2 * MEBIBYTE)],
])("to take a message of 2 MB of %s holds nobody up", async (_, json) => {
  const bytes = new TextEncoder().encode(json);
  const work = async () => {
    try {
      JSON.stringify(parseJson(bytes));
    } catch {
      // What is refused is found out just as quickly.
    }
  };
  expect(await longestHold(work)).toBeLessThan(LONGEST);
});
