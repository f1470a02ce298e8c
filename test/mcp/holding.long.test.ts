import { expect, test } from "bun:test";
import { parseJson } from "../../src/hosts/http/body.ts";
import { breathe } from "../../src/mcp/breathe.ts";
import { createDiffThread } from "../../src/mcp/diff-thread.ts";
import { partOfPage } from "../../src/mcp/parts.ts";
import { createThreads } from "../../src/threads/threads.ts";
import { onThisMachine } from "../support/timing.ts";

const MEBIBYTE = 1024 * 1024;
/** Milliseconds of processor time that the event loop may be blocked at a time. */
const MAX_BLOCKED = 50;

const filled = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** Returns the longest time that the work blocks the event loop, in the best of three attempts. */
async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  const blocks: number[] = [];
  for (let attempt = 0; attempt < 3; attempt++) blocks.push(await measureBlock(work));
  return Math.min(...blocks);
}

async function measureBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let before = process.threadCpuUsage();
  let isOver = false;
  const beat = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.threadCpuUsage();
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
])("extracting the text of 10 MB of %s doesn't block the event loop", async (_, html) => {
  const work = () => partOfPage(new Response(html), { offset: Number.MAX_SAFE_INTEGER - 1000, limit: 1000 });
  expect(await longestBlock(work)).toBeLessThan(onThisMachine(MAX_BLOCKED));
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
])("comparing the largest texts, %s, doesn't block the event loop", async (_, before, after) => {
  const diff = createDiffThread(createThreads());
  const work = () => diff({ before, after, labels: { old: "a", new: "b" }, context: 3 });
  expect(await longestBlock(work)).toBeLessThan(onThisMachine(MAX_BLOCKED));
});

test.each([
  ["a page", JSON.stringify({ content: filled('<p class="a">x</p>\n', 1.7 * MEBIBYTE) })],
  ["quotes", `"${filled('\\"', 2 * MEBIBYTE - 2)}"`],
  ["backslashes", `"${filled("\\\\", 2 * MEBIBYTE - 2)}"`],
  ["empty texts", filled('""', 2 * MEBIBYTE)],
  ["nothing but values", `[${filled("0,", 2 * MEBIBYTE - 4)}0]`],
  ["nothing but depth", filled("[", 2 * MEBIBYTE)],
])("parsing a message of 2 MB of %s doesn't block the event loop", async (_, json) => {
  const bytes = new TextEncoder().encode(json);
  const work = async () => {
    try {
      JSON.stringify(parseJson(bytes));
    } catch {
      // Invalid messages must not take longer either.
    }
  };
  expect(await longestBlock(work)).toBeLessThan(onThisMachine(MAX_BLOCKED));
});
