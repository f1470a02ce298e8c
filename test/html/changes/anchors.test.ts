import { describe, expect, test } from "bun:test";
import { createPageBuilder } from "../../../src/html/anchors/page.ts";
import { pageOfHtml } from "../../../src/html/anchors/page-of-html.ts";
import { resolveAnchors } from "../../../src/html/anchors/resolve.ts";
import { readBlocks } from "../../../src/html/blocks/page-blocks.ts";
import { comparePages } from "../../../src/html/changes/compare-pages.ts";

const pageOf = (html: string) => ({ html, path: "index.html", digests: {} });

/** Returns what each change is, and what its anchor leads to in the newer page. */
function marked(before: string, after: string) {
  const { changes, anchors } = comparePages(pageOf(before), pageOf(after));
  const page = pageOfHtml(after);
  const found = resolveAnchors(
    anchors.map((anchor) => anchor ?? { kind: "report" }),
    page,
  );
  return changes.map(({ kind }, index) => {
    const target = found[index]?.target;
    if (target?.kind === "text") return [kind, page.text.slice(target.start, target.end)];
    if (target?.kind !== "cell") return [kind, anchors[index] === null ? null : (target ?? found[index]?.place)];
    const row = page.tables[target.table]?.rows[target.row];
    return [kind, target.column === undefined ? row?.join(" ") : row?.[target.column]];
  });
}

const table = (...rows: string[]) =>
  `<table><tr><th>Region</th><th>Units</th></tr>${rows.map((row) => `<tr><td>${row.replace(" ", "</td><td>")}</td></tr>`).join("")}</table>`;

describe("the anchors of changes", () => {
  test.each([
    ["a number", "<h1>A</h1><p>Sold 10 units.</p>", "<h1>A</h1><p>Sold 25 units.</p>", [["number", "25"]]],
    [
      "the second of two equal numbers",
      "<p>First 7 here</p><p>Then 5 there</p>",
      "<p>First 7 here</p><p>Then 7 there</p>",
      [["number", "7"]],
    ],
    [
      "a word that was taken out",
      "<p>All very good numbers here</p>",
      "<p>All good numbers here</p>",
      [["text", "good"]],
    ],
    ["a cell", table("North 10", "South 20"), table("North 10", "South 25"), [["cell", "25"]]],
    ["a row", table("North 10", "South 20"), table("North 10", "South 20", "West 7"), [["row_added", "West 7"]]],
    [
      "a cell in the second of two equal tables",
      `<h2>A</h2>${table("North 10", "South 20")}<h2>A</h2>${table("North 10", "South 21")}`,
      `<h2>A</h2>${table("North 10", "South 20")}<h2>A</h2>${table("North 10", "South 25")}`,
      [["cell", "25"]],
    ],
    [
      "a cell in a table without a header",
      "<table><tr><td>a<td>1<tr><td>b<td>2</table>",
      "<table><tr><td>a<td>1<tr><td>b<td>3</table>",
      [["cell", "3"]],
    ],
    [
      "a removed paragraph, beside the one before it",
      "<p>One stays here.</p><p>Two goes away completely.</p><p>Three stays here too.</p>",
      "<p>One stays here.</p><p>Three stays here too.</p>",
      [["block_removed", "One stays here."]],
    ],
    [
      "removed paragraphs in a row, beside the one before the first of them",
      "<p>New text was here.</p><p>One stays here.</p><p>Two goes away.</p><p>Three, too.</p><p>Four as well.</p><p>Five is kept.</p>",
      "<p>One stays here.</p><p>Five is kept.</p>",
      [
        ["block_removed", "One stays here."],
        ["block_removed", "One stays here."],
        ["block_removed", "One stays here."],
        ["block_removed", "One stays here."],
      ],
    ],
    [
      "removed rows, at the row or header before them",
      table("North 10", "South 20", "East 30", "West 40", "Center 50"),
      table("South 20", "Oslo 70", "Center 50"),
      [
        ["row_removed", "Region\tUnits"],
        ["row_removed", "South 20"],
        ["row_removed", "South 20"],
        ["row_added", "Oslo 70"],
      ],
    ],
    [
      "a removed column, at the header of its table",
      "<p>Units by region</p><table><tr><th>Region</th><th>Units</th><th>Costs</th></tr><tr><td>North</td><td>10</td><td>5</td></tr></table>",
      `<p>Units by region</p>${table("North 10")}`,
      [["column_removed", "Region\tUnits"]],
    ],
    [
      "an added paragraph",
      "<p>One stays here.</p>",
      "<p>One stays here.</p><p>Brand new text.</p>",
      [["block_added", "Brand new text."]],
    ],
    ["an image without a name", `<img src="data:,a">`, `<img src="data:,b">`, [["image", "gone"]]],
  ])("%s", (_, before, after, expected) => {
    expect(marked(before, after)).toEqual(expected);
  });

  test("charts and drawings are found by what they are drawn on, in order", () => {
    const chart = (value: number) =>
      `<canvas></canvas><script>new Chart(document.querySelector("canvas"), { type: "bar", data: { labels: ["a"], datasets: [{ label: "Orders", data: [${value}] }] } })</script>`;
    const page = (...values: number[]) =>
      `<h1>Sales</h1>${values.map(chart).join("")}<svg><path d="M${values}"/></svg>`;
    const { changes, anchors } = comparePages(pageOf(page(1, 2)), pageOf(page(1, 3)));
    const builder = createPageBuilder();
    builder.tag("h1", true);
    builder.text("Sales");
    builder.tag("h1", false);
    for (const library of ["canvas", "canvas", "svg"]) builder.figure({ kind: "chart", library, series: [] });
    const found = resolveAnchors(
      anchors.map((anchor) => anchor ?? { kind: "report" }),
      builder.build(false),
    );
    expect(changes.map(({ kind }, index) => [kind, found[index]?.target])).toEqual([
      ["chart", { kind: "figure", figure: 1 }],
      ["image", { kind: "figure", figure: 2 }],
    ]);
  });

  test.each([
    ["vega", (value: number) => `<svg class="marks" width="445" height="255"><path d="M${value}"/></svg>`],
    ["echarts", (value: number) => `<svg width="500" height="250" baseProfile="full"><path d="M${value}"/></svg>`],
  ])("a chart that a script has drawn is one change, at its drawing, and icons don't count: %s", (library, draw) => {
    const page = (value: number) =>
      `<h1>Sales</h1><div>${draw(value)}<details open><summary><svg viewBox="0 0 16 16"><circle r="2"/></svg></summary></details></div>
      <svg width="1em"><circle r="3"/></svg><script>${
        library === "vega"
          ? `vegaEmbed("#c", { $schema: "https://vega.github.io/schema/vega-lite/v6.json", data: { values: [{ a: "x", b: ${value} }] }, mark: "bar" })`
          : `echarts.init(c).setOption({ series: [{ name: "Orders", type: "bar", data: [${value}] }] })`
      }</script>`;
    const { changes, anchors } = comparePages(pageOf(page(2)), pageOf(page(3)));
    const builder = createPageBuilder();
    builder.tag("h1", true);
    builder.text("Sales");
    builder.tag("h1", false);
    builder.figure({ kind: "chart", library: "svg", series: [] });
    const found = resolveAnchors(
      anchors.map((anchor) => anchor ?? { kind: "report" }),
      builder.build(false),
    );
    expect(changes.map(({ kind }, index) => [kind, found[index]?.target])).toEqual([
      ["chart", { kind: "figure", figure: 0 }],
    ]);
  });
});

test("blocks are read together with the text that anchors stand in", () => {
  const html = `<title>No</title><h1>Sales &amp; more</h1><p>In <b>March</b>.<p hidden>Not <i>this</i></p>
    <svg width="200" height="90"><text>Drawn</text><script>draw()</script></svg><template><p>Nor this</template>
    <script>document.write("<p>nor this")</script>${table("Berlin 4")}<dialog>Closed</dialog><details>More<br>lines</details>`;
  const builder = createPageBuilder();
  readBlocks(html, undefined, builder);
  expect(builder.build(true)).toEqual(pageOfHtml(html));
});
