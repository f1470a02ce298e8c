import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../support/cli.ts";

const pathOf = (url: string) => new URL(url).pathname;
// Spelled out separately, so that the check for unused dependencies finds them.
const rollup = pathOf(import.meta.resolve("rollup/dist/bin/rollup"));
const visualizer = pathOf(import.meta.resolve("rollup-plugin-visualizer"));
const mocha = pathOf(import.meta.resolve("mocha/bin/mocha.js"));
const mochawesome = pathOf(import.meta.resolve("mochawesome"));
const plotly = pathOf(import.meta.resolve("plotly.js-dist-min"));
const libraries = { first: pathOf(import.meta.resolve("entities")), second: pathOf(import.meta.resolve("hono")) };

/** A report in a temporary directory, made by a real tool. */
export interface MadeReport {
  directory: string;
  /** Its files as written to the disk. */
  files: Readonly<Record<string, Buffer>>;
  remove(): Promise<void>;
}

/** Makes one edition of a report; different editions have different content. */
export type MakeReport = (edition: Edition) => Promise<MadeReport>;
export type Edition = "first" | "second";

async function make(write: (directory: string, work: string) => Promise<void>): Promise<MadeReport> {
  const work = await mkdtemp(join(tmpdir(), "vitrine-report-"));
  const directory = join(work, "report");
  await mkdir(directory);
  await write(directory, work);
  const names = (await readdir(directory)).sort();
  const files = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)),
  );
  return { directory, files, remove: () => rm(work, { recursive: true }) };
}

async function runTool(command: readonly string[], directory: string, exitCodes = [0]): Promise<void> {
  const { code, stdout, stderr } = await run(["node", ...command], { directory });
  if (!exitCodes.includes(code)) throw new Error(`${command[0]} exited with ${code}: ${stdout}${stderr}`);
}

/** Makes a bundle analyzer's treemap: one large HTML file with everything inside. */
export const makeBundleReport: MakeReport = (edition) =>
  make(async (directory, work) => {
    const options = JSON.stringify({ filename: join(directory, "index.html"), title: `Bundle, ${edition} edition` });
    const bundle = join(work, "bundle");
    await runTool([rollup, libraries[edition], "--dir", bundle, "--plugin", `${visualizer}=${options}`], work);
  });

/** Makes a test reporter's page with its script, stylesheet and fonts as separate files; some of the tests fail. */
export const makeTestReport: MakeReport = (edition) =>
  make(async (directory, work) => {
    const specification = `
      const assert = require("node:assert");
      describe("the ${edition} edition", () => {
        it("adds", () => assert.equal(1 + 1, 2));
        it("fails with an é", () => assert.equal("é", "e"));
        it.skip("waits");
      });`;
    const file = join(work, "sums.spec.cjs");
    await Bun.write(file, specification);
    const options = { reportDir: directory, assetsDir: directory, reportFilename: "index", json: false, charts: true };
    const pairs = Object.entries({ ...options, quiet: true, reportTitle: `Tests of the ${edition} edition` });
    const text = pairs.map(([name, value]) => `${name}=${value}`).join(",");
    const command = [mocha, file, "--reporter", mochawesome, "--reporter-options", text];
    await runTool(command, work, [1]);
  });

/** Makes a plot page as an analyst writes it, with its library, modules, data and WebAssembly as separate files. */
export const makePlotReport: MakeReport = (edition) =>
  make(async (directory) => {
    const name = edition === "first" ? "2025" : "2026";
    const data = { name, months: ["Jan", "Feb", "März", "四月"], values: [3, 1, 4, edition === "first" ? 1 : 5] };
    await cp(plotly, join(directory, "plotly.min.js"));
    await Bun.write(join(directory, "data.json"), JSON.stringify(data));
    await Bun.write(join(directory, "sum.wasm"), SUM_MODULE);
    for (const [path, content] of Object.entries(PLOT_PAGE)) await Bun.write(join(directory, path), content);
  });

/** `(func (export "sum") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))` */
const SUM_MODULE = Buffer.from(
  "0061736d0100000001070160027f7f017f030201000707010373756d00000a09010700200020016a0b",
  "hex",
);

const PLOT_PAGE = {
  "index.html": `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sales by month</title>
<link rel="stylesheet" href="style.css">
<script src="plotly.min.js"></script>
<script type="module" src="./chart.mjs"></script>
<h1><img src="logo.svg" alt="" width="32" height="32"> Sales by month</h1>
<div id="chart"></div>
<p>Total: <output></output></p>
</html>
`,
  "style.css": "#chart { width: 600px; height: 400px } h1 { color: rgb(1, 2, 3) }",
  "logo.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="teal"/></svg>',
  "total.mjs": `
const { instance } = await WebAssembly.instantiateStreaming(fetch(new URL("sum.wasm", import.meta.url)));
export const total = (values) => values.reduce(instance.exports.sum, 0);
`,
  "chart.mjs": `
import { total } from "./total.mjs";
const { name, months, values } = await (await fetch("data.json")).json();
await Plotly.newPlot("chart", [{ type: "bar", name, x: months, y: values }], { title: { text: name } });
document.querySelector("output").textContent = total(values);
`,
};
