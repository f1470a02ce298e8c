import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { readBlocks } from "../../../src/html/blocks/page-blocks.ts";
import { compareBlocks } from "../../../src/html/changes/compare-blocks.ts";
import { changesMarkdown, describeChange, sentenceOf } from "../../../src/html/changes/markdown.ts";

const compare = (before: string, after: string) => compareBlocks(readBlocks(before).blocks, readBlocks(after).blocks);

/** Returns the changes as short lines. */
const listed = (before: string, after: string) =>
  compare(before, after).changes.map(({ kind, before: old, after: fresh, difference, percentage }) =>
    [kind, old, fresh, ...(difference === null ? [] : [difference, percentage])].map(String).join(" | "),
  );

const table = (header: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  `<table><thead><tr>${header.map((cell) => `<th>${cell}`).join("")}</thead><tbody>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}`).join("")}`)
    .join("")}</tbody></table>`;

const SALES = [
  ["North", "1,200.50", "12 %"],
  ["South", "900", "8 %"],
  ["West", "$1.2M", "3 %"],
];
const HEADER = ["Region", "Revenue", "Share"];

describe("what counts as a change", () => {
  test.each([
    [
      "a number in a sentence",
      "<p>We sold 1,234 units.",
      "<p>We sold 1,334 units.",
      ["number | 1,234 | 1,334 | 100 | 8.103727715"],
    ],
    [
      "a number with a decimal comma",
      "<p>Umsatz: 1.234,5 € und 7,25 €",
      "<p>Umsatz: 1.334,5 € und 7,25 €",
      ["number | 1.234,5 € | 1.334,5 € | 100 | 8.100445525"],
    ],
    ["a percentage", "<p>Up 12 % this week", "<p>Up 15 % this week", ["number | 12 % | 15 % | 3 | 25"]],
    [
      "an amount with a scale",
      "<p>Revenue was $1.2M",
      "<p>Revenue was $1.5M",
      ["number | $1.2M | $1.5M | 300000 | 25"],
    ],
    ["a negative number", "<p>Profit: -5 today", "<p>Profit: 5 today", ["number | -5 | 5 | 10 | 200"]],
    ["a number that was zero", "<p>0 failures", "<p>3 failures", ["number | 0 | 3 | 3 | null"]],
    ["a word", "<p>Sales went up in the north", "<p>Sales went down in the north", ["text | up | down"]],
    [
      "a year",
      "<p>Report of 2025, in detail",
      "<p>Report of 2026, in detail",
      ["number | 2025 | 2026 | 1 | 0.04938271605"],
    ],
    [
      "a date without a time",
      "<p>Delivery is due on 2026-03-01 at last",
      "<p>Delivery is due on 2026-04-01 at last",
      ["number | 03 | 04 | 1 | 33.33333333"],
    ],
    [
      "a duration that is a result",
      "<p>The 95th percentile is 120 ms",
      "<p>The 95th percentile is 180 ms",
      ["number | 120 | 180 | 60 | 50"],
    ],
    ["a heading", "<h2>Sales in May</h2><p>x", "<h2>Sales in June</h2><p>x", ["text | May | June"]],
    [
      "a new paragraph",
      "<p>one two three",
      "<p>one two three<p>Something else entirely",
      ["block_added | null | Something else entirely"],
    ],
    ["a removed list item", "<ul><li>apples<li>pears</ul>", "<ul><li>apples</ul>", ["block_removed | pears | null"]],
    [
      "a moved paragraph",
      "<p>alpha beta<p>gamma delta<p>epsilon zeta",
      "<p>gamma delta<p>epsilon zeta<p>alpha beta",
      ["block_moved | alpha beta | alpha beta"],
    ],
    [
      "an image",
      '<img src="data:image/png;base64,AA" alt="Trend">',
      '<img src="data:image/png;base64,AB" alt="Trend">',
      ["image | Trend | Trend"],
    ],
    ["a drawing", '<svg><path d="M0 0L1 1"/></svg>', '<svg><path d="M0 0L1 2"/></svg>', ["image | null | null"]],
    ["code", "<pre>a = 1\nb</pre>", "<pre>a = 2\nb</pre>", ["number | 1 | 2 | 1 | 100"]],
  ] as const)("%s", (_, before, after, changes) => {
    expect(listed(before, after)).toEqual([...changes]);
  });

  test.each([
    ["IDs and classes", '<p id="a1" class="x y">Total 5', '<p id="b2" class="z">Total 5'],
    ["the order of attributes", '<img src="a.png" alt="b" id="c">', '<img id="d" alt="b" src="a.png">'],
    ["white space", "<p>Total   5\n<p>x", "<p>\n  Total 5 </p>\n\n<p>x</p>"],
    ["a moment in ISO form", "<p>Data of 2026-01-02T03:04:05Z", "<p>Data of 2026-11-22T13:14:15.123+01:00"],
    ["when it was generated", "<p>Generated on 2026-01-02", "<p>Generated on 2026-11-22"],
    [
      "when a tool generated it",
      "<p>Created by coverage.py v7.2.7 at 2026-01-02 03:04 +0000",
      "<p>Created by coverage.py v7.2.7 at 2026-11-23 13:14 +0000",
    ],
    ["how long it took", "<footer>Took 1.2 s</footer>", "<footer>Took 3.5 s</footer>"],
    ["the prompts of Jupyter", "<div>In [1]:</div><pre>x</pre>", "<div>In [7]:</div><pre>x</pre>"],
    [
      "IDs in a drawing",
      '<svg><clipPath id="p1"/><path d="M0 0" clip-path="url(#p1)"/></svg>',
      '<svg><clipPath id="q7"/><path clip-path="url(#q7)" d="M0 0"/></svg>',
    ],
    [
      "the element that Plotly draws in",
      "<script>Plotly.newPlot('a', [{x:[1],y:[2]}])</script>",
      "<script>Plotly.newPlot('b', [{x:[1],y:[2]}])</script>",
    ],
    [
      "scripts and styles",
      "<p>x<script>var a=1</script><style>p{}</style>",
      "<p>x<script>var a=2</script><style>b{}</style>",
    ],
  ])("%s do not", (_, before, after) => {
    expect(listed(before, after)).toEqual([]);
    expect(compare(before, after).summary).toEqual({ sentence: "No changes", total: 0 });
  });

  test("a number beside a moment counts", () => {
    expect(listed("<p>Generated at 2026-01-02 03:04: 17 rows", "<p>Generated at 2026-11-22 13:14: 19 rows")).toEqual([
      "number | 17 | 19 | 2 | 11.76470588",
    ]);
  });
});

describe("tables", () => {
  test("cells are found by row and column", () => {
    const after = SALES.map(([region = "", revenue = "", share = ""]) => [
      region,
      region === "South" ? "950" : revenue,
      share,
    ]);
    const { changes, summary } = compare(table(HEADER, SALES), table(HEADER, after));
    expect(changes).toMatchObject([
      {
        kind: "cell",
        label: "Revenue, South",
        before: "900",
        after: "950",
        difference: 50,
        newPlace: { row: 1, column: 1 },
      },
    ]);
    expect(summary.sentence).toBe("1 number");
  });

  test("rows are added, removed and moved, also beside a column that counts them", () => {
    const numbered = (rows: readonly (readonly string[])[]) =>
      table(
        ["", ...HEADER],
        rows.map((row, index) => [index, ...row]),
      );
    const [north = [], south = [], west = []] = SALES;
    const east = ["East", "5", "1 %"];
    expect(listed(numbered([north, south, west]), numbered([east, north, west]))).toEqual([
      "row_removed | 1 | South | 900 | 8 % | null",
      "row_added | null | 0 | East | 5 | 1 %",
    ]);
    const rows = ["a", "b", "c", "d", "e", "f", "g", "h"].map((name, index) => [name, String(index * index)]);
    const [first = [], ...others] = rows;
    expect(listed(table(["k", "v"], rows), table(["k", "v"], [...others, first]))).toEqual([
      "row_moved | a | 0 | a | 0",
    ]);
    expect(listed(table(["k", "v"], rows), table(["k", "v"], rows.toReversed()))).toEqual([
      "rows_sorted | null | null",
    ]);
  });

  test("columns are added and moved", () => {
    const wider = SALES.map((row) => [...row, "x"]);
    expect(listed(table(HEADER, SALES), table([...HEADER, "Note"], wider))).toEqual(["column_added | null | Note"]);
    const swapped = SALES.map(([region = "", revenue = "", share = ""]) => [region, share, revenue]);
    expect(listed(table(HEADER, SALES), table(["Region", "Share", "Revenue"], swapped))).toEqual([]);
  });

  test("cells that span rows and columns keep the others in place", () => {
    const spanned = (value: number) =>
      `<table><tr><th rowspan=2>Region<th colspan=2>Sales<tr><th>May<th>June<tr><td>North<td>1<td>${value}</table>`;
    expect(compare(spanned(2), spanned(3)).changes).toMatchObject([
      { label: "Sales / June, North", before: "2", after: "3" },
    ]);
  });

  test("every change of a random table is listed, and nothing else", () => {
    const cells = fc.array(fc.tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 9999 })), {
      minLength: 3,
      maxLength: 12,
    });
    fc.assert(
      fc.property(cells, fc.nat(), fc.nat({ max: 1 }), (rows, at, column) => {
        const named = rows.map(([a, b], index) => [`row ${String.fromCharCode(97 + index)}`, a, b]);
        const row = at % named.length;
        const changed = named.map((line, index) =>
          line.map((cell, position) => (index === row && position === column + 1 ? Number(cell) + 7 : cell)),
        );
        const { changes } = compare(table(["k", "a", "b"], named), table(["k", "a", "b"], changed));
        expect(changes).toMatchObject([{ kind: "cell", difference: 7, newPlace: { row, column: column + 1 } }]);
      }),
      { numRuns: 50 },
    );
  });
});

describe("charts", () => {
  const plotly = (ys: readonly number[], name = "Sales") =>
    `<script>Plotly.newPlot("x", [{"x":["Jan","Feb"],"y":${JSON.stringify(ys)},"name":${JSON.stringify(name)},"type":"bar"}], {"title":{"text":"Months"}})</script>`;
  const vega = (value: number) =>
    `<script>(function(spec, options){ vegaEmbed("#v", spec, options); })({"$schema":"https://vega.github.io/schema/vega-lite/v5.json","mark":"bar","datasets":{"data-${value}abc":[{"a":"x","b":${value}}]}}, {})</script>`;
  const echarts = (value: number) =>
    `<script>var option = {xAxis: {data: ["a", "b"]}, series: [{name: "s", type: "line", data: [1, ${value}]}]}; chart.setOption(option);</script>`;

  test.each([
    ["Plotly", plotly([1, 2]), plotly([1, 3]), "chart | 2 | 3 | 1 | 50"],
    ["Vega-Lite", vega(4), vega(5), "chart | 4 | 5 | 1 | 25"],
    ["ECharts", echarts(2), echarts(1), "chart | 2 | 1 | -1 | -50"],
    ["Plotly with another series", plotly([1, 2]), plotly([1, 2], "Costs"), "chart | 2 points | null"],
  ])("%s", (_, before, after, change) => {
    expect(listed(before, after)[0]).toBe(change);
    expect(compare(before, after).summary.sentence).toBe("chart changed");
  });

  test("typed numbers in base64 are read", () => {
    const encoded = (value: number) => Buffer.from(new Float64Array([1, value]).buffer).toString("base64");
    const page = (value: number) =>
      `<script>Plotly.newPlot("x", [{"y":{"dtype":"f8","bdata":"${encoded(value)}"}}])</script>`;
    expect(listed(page(2.5), page(3))).toEqual(["chart | 2.5 | 3 | 0.5 | 20"]);
  });

  test("the summary names the chart", () => {
    expect(compare(plotly([1, 2]) + echarts(2), plotly([1, 2]) + echarts(5)).summary.sentence).toBe("chart 2 changed");
  });
});

test("nothing changes between a page and itself", () => {
  const piece = fc.constantFrom(
    "<p>",
    "<h2>",
    "</h2>",
    "<li>",
    "<table>",
    "<tr>",
    "<td>",
    "</table>",
    "<svg>",
    "</svg>",
    "<pre>",
    "</pre>",
    "<script>",
    "</script>",
    "<td colspan=3 rowspan=2>",
    "12.5",
    " words ",
    "2026-01-02 03:04",
    '<img src=a alt="b">',
    "<div hidden>",
    "</div>",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(compare(pieces.join(""), pieces.join("")).changes).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test("a row that is new is named once", () => {
  const [change] = compare(table(HEADER, SALES.slice(1)), table(HEADER, SALES)).changes;
  expect(change && describeChange(change)).toBe("Row added: North | 1,200.50 | 12 %");
});

test.each([
  ["<p>Sales rose to 10 units.", "<p>Sales rose to 12 units.", "Sales rose to 12 units."],
  ["<p>10", "<p>12", ""],
  [table(HEADER, SALES.slice(1)), table(HEADER, SALES), ""],
])("the sentence around a change in text: %s", (before, after, sentence) => {
  expect(compare(before, after).changes.map(sentenceOf)).toEqual([sentence]);
});

test("Markdown escapes what the report says", () => {
  const { changes, summary } = compare(
    "<h1>a <b>**x**</b> @you</h1><p>value `one` two",
    "<h1>a <b>**x**</b> @you</h1><p>value `[l](http://x)` two",
  );
  const markdown = changesMarkdown({
    title: "Version 1 → 2",
    summary: summary.sentence,
    changes,
    total: summary.total,
  });
  expect(markdown).toContain("#### a \\*\\*x\\*\\* @\u200byou");
  expect(markdown.match(/@you/)).toBeNull();
});
