import { expect, test } from "bun:test";
import { readBlocks } from "../../../src/html/blocks/page-blocks.ts";
import { compareBlocks } from "../../../src/html/changes/compare-blocks.ts";

/** Returns what Bokeh 3.9 says of a figure, without what this doesn't read. All IDs differ each time. */
function figure(value: number, id: string): string {
  const columns = [
    ["x", [1, 2]],
    ["y", [3, value]],
  ];
  const source = { type: "object", name: "ColumnDataSource", id: `r${id}` };
  const attributes = {
    title: { type: "object", name: "Title", id: `q${id}`, attributes: { text: "Orders" } },
    renderers: [{ data_source: { ...source, attributes: { data: { type: "map", entries: columns } } } }],
  };
  const roots = [{ type: "object", name: "Figure", id: `p${id}`, attributes }];
  return JSON.stringify({ [`${id}-fd03`]: { version: "3.9.2", title: "Bokeh Application", roots } });
}

const embed = (docs: string) =>
  `<script>const docs_json = ${docs}; root.Bokeh.embed.embed_items(docs_json, [{ docid: "x" }]);</script>`;

test.each([
  [
    "as a page",
    (json: string, id: string) =>
      `<div id="${id}"></div><script type="application/json" id="j${id}">${json}</script>${embed(`document.getElementById("j${id}").textContent`)}`,
  ],
  ["as a component", (json: string) => embed(`'${json}'`)],
  ["in a notebook", (json: string) => embed(json).replace("embed_items", "embed_items_notebook")],
])("Bokeh's charts %s differ by their data alone", (_, page) => {
  const blocksOf = (value: number, id: string) => readBlocks(page(figure(value, id), id)).blocks;
  expect(compareBlocks(blocksOf(9, "1"), blocksOf(9, "2")).changes).toEqual([]);
  const { changes } = compareBlocks(blocksOf(9, "1"), blocksOf(18, "2"));
  expect(changes).toMatchObject([
    { kind: "chart", label: "Orders: series 1, 2", before: "9", after: "18", difference: 9, percentage: 100 },
  ]);
});
