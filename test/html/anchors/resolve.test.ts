import { expect, test } from "bun:test";
import { describeText } from "../../../src/html/anchors/describe.ts";
import { pageOfHtml } from "../../../src/html/anchors/page-of-html.ts";
import { resolveAnchor, resolveAnchors } from "../../../src/html/anchors/resolve.ts";

const before = `<h1>Sales</h1><p>Summary of the quarter for the board.</p>
<h2>Berlin</h2><p>Revenue rose to 1,204 in March, driven by new contracts.</p><p>Churn was flat.</p>
<h2>Paris</h2><p>Revenue fell to 980 in March because of late deliveries.</p><p>Churn was flat.</p>
<ul><li>Sales in Rome rose by 4 %.</li><li>Sales in Oslo rose by 5 %.</li><li>Sales in Bonn rose by 6 %.</li></ul>
<table><tr><th>Month</th><th>Orders</th></tr><tr><td>January</td><td>12</td></tr><tr><td>February</td><td>15</td></tr></table>`;

function placed(quote: string, after: string, nth = 0) {
  const page = pageOfHtml(before);
  let at = page.text.indexOf(quote);
  for (let skipped = 0; skipped < nth; skipped++) at = page.text.indexOf(quote, at + 1);
  const anchor = describeText(page, "index.html", at, at + quote.length);
  if (anchor === undefined || at < 0) throw new Error(`No "${quote}".`);
  const now = pageOfHtml(after);
  const { place, target } = resolveAnchor(anchor, now);
  return [
    place,
    target?.kind === "text" ? now.text.slice(target.start, target.end) : undefined,
    target?.kind === "text" ? target.start : undefined,
  ] as const;
}

test("an unchanged page has every text where it was", () => {
  const page = pageOfHtml(before);
  for (let start = 0; start < page.text.length - 5; start += 7) {
    for (const length of [3, 12, 40]) {
      const anchor = describeText(page, "index.html", start, start + length);
      if (anchor === undefined) continue;
      expect(resolveAnchor(anchor, page)).toEqual({
        place: "exact",
        target: { kind: "text", start: anchor.start, end: anchor.end },
      });
    }
  }
});

test.each([
  ["1,204", before.replace("1,204", "1,377"), "changed", "1,377"],
  ["Revenue rose to 1,204 in March", before.replace("1,204", "1,377"), "changed", "Revenue rose to 1,377 in March"],
  ["driven by new contracts", `<p>New first paragraph</p>${before}`, "exact", "driven by new contracts"],
  ["Sales in Oslo rose by 5 %.", before.replace("<li>Sales in Oslo rose by 5 %.</li>", ""), "gone", undefined],
  ["Sales in Oslo rose by 5 %.", before.replace("rose by 5 %", "fell by 5 %"), "changed", "Sales in Oslo fell by 5 %."],
  [
    "because of late deliveries",
    before.replace("because of late deliveries", "as the port was closed"),
    "gone",
    undefined,
  ],
  ["15", before.replace(">15<", ">19<"), "changed", "19"],
  ["15", before.replace("<tr><td>February</td><td>15</td></tr>", ""), "gone", undefined],
  ["Summary of the quarter for the board.", "<p>Another page</p>", "gone", undefined],
])("%p", (quote, after, place, text) => {
  expect(placed(quote, after).slice(0, 2)).toEqual([place, text]);
});

test("repeated text is told apart by what stands around it", () => {
  const after = before.replace("<h1>", "<p>News</p><h1>");
  const [place, , start] = placed("Churn was flat.", after, 1);
  expect(place).toBe("exact");
  expect(start).toBe(pageOfHtml(after).text.lastIndexOf("Churn was flat."));
});

test("500 anchors are found on a page with 5 MB of text", () => {
  const rows = Array.from(
    { length: 50_000 },
    (_, row) =>
      `<p>Measurement ${row * 7919} in hall ${row % 97} gave ${(row * 104729) % 100003} units, as the plan of week ${row % 53} says.</p>`,
  );
  const page = pageOfHtml(rows.join(""));
  const anchors = Array.from({ length: 500 }, (_, index) => {
    const at = page.text.indexOf("gave", Math.floor((index * page.text.length) / 501));
    const anchor = describeText(page, "index.html", at, at + 30);
    if (anchor === undefined) throw new Error("No text.");
    return anchor;
  });
  for (const now of [page, pageOfHtml(`<p>All the others are lower now.</p>${rows.join("")}`)]) {
    const found = resolveAnchors(anchors, now);
    expect(found.filter(({ place }) => place === "exact")).toHaveLength(500);
  }
});
