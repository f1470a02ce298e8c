import { expect, test } from "bun:test";
import fc from "fast-check";
import { describeText } from "../../../src/html/anchors/describe.ts";
import type { AnchorPage } from "../../../src/html/anchors/page.ts";
import { pageOfHtml } from "../../../src/html/anchors/page-of-html.ts";
import { resolveAnchors } from "../../../src/html/anchors/resolve.ts";

const pageOf = (lines: readonly string[]): AnchorPage => pageOfHtml(lines.map((line) => `<p>${line}</p>`).join(""));

function anchorAt(page: AnchorPage, start: number, length: number) {
  const anchor = describeText(page, "index.html", start, start + length);
  if (anchor === undefined) throw new Error(`No text at ${start}.`);
  return anchor;
}

function placesIn(anchors: Parameters<typeof resolveAnchors>[0], page: AnchorPage) {
  return resolveAnchors(anchors, page).map(({ place, target }) =>
    target?.kind === "text" ? [place, page.text.slice(target.start, target.end), target.start] : [place],
  );
}

const WORDS = "Umsatz Größe выручка 売上高 report week hall units plan".split(" ");
const wordOf = (id: number) => WORDS[id % WORDS.length] ?? "";
/** Returns a word that no other line has: of lines that differ in numbers alone, one may be taken for a new version of another. */
const nameOf = (id: number) => [...String(id * 7919 + 1000)].map((digit) => "bdfklmprst"[Number(digit)]).join("a");
const lineOf = (id: number) => `${wordOf(id)} of ${nameOf(id)} has ${id * 7919} in ${wordOf(id * 5)}`;

/** Returns the lines around one, as far as an anchor's context can reach. */
const around = (lines: readonly number[], id: number): string =>
  lines.slice(Math.max(0, lines.indexOf(id) - 3), lines.indexOf(id) + 4).join();

test("lines are found beside which nothing was added or taken away, and none at a wrong place", () => {
  const ids = fc.uniqueArray(fc.nat({ max: 400 }), { minLength: 30, maxLength: 60 });
  const edits = fc.array(fc.tuple(fc.nat({ max: 59 }), fc.integer({ min: 401, max: 500 })), { maxLength: 12 });
  fc.assert(
    fc.property(ids, edits, (before, changes) => {
      const after = [...before];
      for (const [at, added] of changes) if (!after.includes(added)) after.splice(at % after.length, added % 2, added);
      const [old, now] = [pageOf(before.map(lineOf)), pageOf(after.map(lineOf))];
      const kept = before.filter((id) => after.includes(id));
      const anchors = kept.map((id) => anchorAt(old, old.text.indexOf(lineOf(id)), lineOf(id).length));
      for (const [index, found] of placesIn(anchors, now).entries()) {
        const id = kept[index] ?? 0;
        const isCertain = around(before, id) === around(after, id);
        if (isCertain || found.length > 1) expect(found.slice(1)).toEqual([lineOf(id), now.text.indexOf(lineOf(id))]);
      }
    }),
    { numRuns: 30, endOnFailure: true },
  );
});

test("a text is found below an added line that is alike, and one whose line was deleted in no other line", () => {
  const line = (id: number) => `Station ${id} of the northern line: ok`;
  const ids = Array.from({ length: 60 }, (_, index) => index + 100);
  const old = pageOf(ids.map(line));
  const anchors = [120, 130, 140].map((id) => anchorAt(old, old.text.indexOf(line(id)) + line(id).indexOf("ok"), 2));
  const places = (now: AnchorPage) => placesIn(anchors, now).map(([place, , start]) => [place, start]);
  const added = pageOf(ids.flatMap((id) => (id === 120 ? [line(900), line(id)] : [line(id)])));
  expect(places(added)).toEqual(
    [120, 130, 140].map((id) => ["exact", added.text.indexOf(line(id)) + line(id).indexOf("ok")]),
  );
  const deleted = pageOf(ids.filter((id) => id !== 120).map(line));
  expect(places(deleted)[0]).toEqual(["gone", undefined]);
});

test("texts outside the basic plane are found by their pieces", () => {
  const line = (id: number) =>
    [...String(id * 7919 + 1000)].map((digit) => [..."🍎🍐🍊🍋🍌🍉🍇🍓🥝🍈"][Number(digit)]).join("");
  const ids = Array.from({ length: 40 }, (_, index) => index);
  const [old, now] = [ids, ids.map((id) => (id === 19 ? 419 : id)).toSpliced(5, 1)].map((lines) =>
    pageOf(lines.map(line)),
  );
  if (old === undefined || now === undefined) throw new Error("There are two pages.");
  const anchor = anchorAt(old, old.text.indexOf(line(20)), line(20).length);
  expect(placesIn([anchor], now)).toEqual([["exact", line(20), now.text.indexOf(line(20))]]);
});
