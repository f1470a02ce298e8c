import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `npm test` installs them. */
const MODULES = new URL("../report-tools/node_modules", import.meta.url).pathname;
const HONO = new URL("../../node_modules/hono/dist/index.js", import.meta.url).pathname;
const bin = (name: string) => join(MODULES, ".bin", name);

/** Makes a report in a temporary directory; resolves to the directory or the page to publish. */
export interface ReportTool {
  name: string;
  /** A required program that npm does not install. */
  needs?: string;
  make(work: string): Promise<string>;
  /** Makes the report again of the data that the first one left in the same directory. */
  again?(work: string): Promise<string>;
}

/** Milliseconds: some tools start slowly. */
const PATIENCE = 540_000;

async function tool(work: string, command: readonly string[], exitCodes: readonly number[] = [0, 1]): Promise<void> {
  const child = Bun.spawn([...command], {
    cwd: work,
    env: { PATH: process.env.PATH, CI: "1", HOME: work, NODE_PATH: MODULES },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: PATIENCE,
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (!exitCodes.includes(code)) throw new Error(`${command.join(" ")} exited with ${code}: ${stdout}${stderr}`);
}

async function write(work: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(work, name, ".."), { recursive: true });
    await writeFile(join(work, name), text);
  }
}

const SOURCES = {
  "src/sum.mjs":
    "/** Adds.\n * @param {number} a\n * @param {number} b */\nexport function sum(a, b) {\n  if (a > 9) {\n    return 0;\n  }\n  return a + b;\n}\n",
  "src/deep/product.mjs":
    'import { sum } from "../sum.mjs";\nexport const product = (a, b) => (b === 0 ? 0 : sum(a, product(a, b - 1)));\n',
  "run.mjs": 'import { product } from "./src/deep/product.mjs";\nif (product(2, 3) !== 6) process.exit(1);\n',
};

const coverage =
  (reporter: string, directory = "coverage") =>
  async (work: string) => {
    await write(work, SOURCES);
    await tool(work, [bin("c8"), `--reporter=${reporter}`, "--temp-directory=.c8", "node", "run.mjs"], [0]);
    return join(work, directory);
  };

const SPECIFICATION = `const assert = require("node:assert");
describe("sums", () => {
  it("adds", () => assert.equal(1 + 1, 2));
  it("fails with an é", () => assert.equal("é", "e"));
});`;

/** A clock that stands still, because how long tests took is a number that changes. When they ran may change. */
const STILL = `const started = Date.now();
globalThis.Date = class extends Date {
  constructor(...given) { super(...(given.length === 0 ? [started] : given)); }
  static now() { return started; }
};`;

const mochawesome = (inline: boolean) => async (work: string) => {
  await write(work, { "sums.spec.cjs": SPECIFICATION, "still.cjs": STILL });
  const options = `reportDir=report,assetsDir=report,reportFilename=index,json=false,quiet=true,inline=${inline}`;
  const reporter = ["--reporter", join(MODULES, "mochawesome"), "--reporter-options", options];
  await tool(work, [
    "node",
    "--require=./still.cjs",
    join(MODULES, "mocha/bin/mocha.js"),
    "sums.spec.cjs",
    ...reporter,
  ]);
  return join(work, "report");
};

const visualizer = (template: string) => async (work: string) => {
  const options = JSON.stringify({ filename: join(work, "report/index.html"), template });
  await mkdir(join(work, "report"));
  const plugin = `${join(MODULES, "rollup-plugin-visualizer/dist/plugin/index.js")}=${options}`;
  await tool(work, [bin("rollup"), HONO, "--dir", "bundle", "--plugin", plugin], [0]);
  return join(work, "report");
};

const PLAYWRIGHT_TESTS = {
  "tests/sums.spec.mjs": `import { expect, test } from "@playwright/test";
test("adds", () => { expect(1 + 1).toBe(2); });
test("fails", async () => { await test.info().attach("notes", { body: "x", contentType: "text/plain" }); expect(1).toBe(2); });`,
};

async function linkModules(work: string): Promise<void> {
  await tool(work, ["ln", "-sfn", MODULES, "node_modules"], [0]);
}

const playwright = async (work: string) => {
  await linkModules(work);
  await write(work, {
    ...PLAYWRIGHT_TESTS,
    "playwright.config.mjs": `export default { testDir: "tests", reporter: [["html", { open: "never" }]] };`,
  });
  await tool(work, ["node", join(MODULES, "@playwright/test/cli.js"), "test"]);
  return join(work, "playwright-report");
};

const allure = (kind: string): Pick<ReportTool, "make" | "again"> => {
  async function again(work: string): Promise<string> {
    await tool(work, [bin("allure"), kind, "--single-file", "--output", "report", "allure-results"], [0]);
    return join(work, "report/index.html");
  }
  async function make(work: string): Promise<string> {
    await linkModules(work);
    await write(work, {
      ...PLAYWRIGHT_TESTS,
      "playwright.config.mjs": `export default { testDir: "tests", reporter: [["allure-playwright"]] };`,
    });
    await tool(work, ["node", join(MODULES, "@playwright/test/cli.js"), "test"]);
    return again(work);
  }
  return { make, again };
};

const vitest = async (work: string) => {
  await linkModules(work);
  await write(work, {
    "tests/sum.test.mjs": `import { expect, test } from "vitest";
test("adds", () => expect(1 + 1).toBe(2));
test("fails", () => expect(1).toBe(2));`,
  });
  await tool(work, [bin("vitest"), "run", "--reporter=html", "--outputFile=report/index.html"]);
  return join(work, "report");
};

const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: "markdown", metadata: {}, source: ["# A notebook\n", "Euler: $e^{i\\pi} = -1$"] },
    {
      cell_type: "code",
      execution_count: 1,
      metadata: {},
      outputs: [
        { name: "stdout", output_type: "stream", text: ["42\n"] },
        {
          output_type: "display_data",
          metadata: {},
          data: { "text/html": ["<table border=1><tr><td>1</td></tr></table>"], "text/plain": ["table"] },
        },
      ],
      source: ["print(6 * 7)"],
    },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

const notebook = (to: string, template: string) => async (work: string) => {
  await write(work, { "index.ipynb": NOTEBOOK });
  const options = ["--to", to, ...(template === "" ? [] : ["--template", template])];
  await tool(
    work,
    ["jupyter-nbconvert", ...options, "--output-dir", "report", "--output", "index", "index.ipynb"],
    [0],
  );
  const made = (await readdir(join(work, "report"))).find((name) => name.endsWith(".html")) ?? "index.html";
  if (made !== "index.html") await cp(join(work, "report", made), join(work, "report/index.html"));
  return join(work, "report/index.html");
};

/** A hand-written page with a library in a separate file. */
const page = (files: Readonly<Record<string, string>>, body: string) => async (work: string) => {
  await mkdir(join(work, "report"));
  for (const [name, path] of Object.entries(files)) await cp(join(MODULES, path), join(work, "report", name));
  const styles = Object.keys(files).filter((name) => name.endsWith(".css"));
  const scripts = Object.keys(files).filter((name) => name.endsWith(".js"));
  const head = [
    ...styles.map((name) => `<link rel="stylesheet" href="${name}">`),
    ...scripts.map((name) => `<script src="${name}"></script>`),
  ].join("\n");
  const html = `<!doctype html>\n<meta charset="utf-8">\n<title>Report</title>\n${head}\n${body}\n`;
  await writeFile(join(work, "report/index.html"), html);
  return join(work, "report");
};

/** A hand-written page that includes its libraries. */
const inlined = (files: readonly string[], body: string) => async (work: string) => {
  const texts = await Promise.all(files.map((path) => readFile(join(MODULES, path), "utf8")));
  const scripts = texts.map((text) => `<script>${text.replaceAll("</script", "<\\/script")}</script>`).join("\n");
  await write(work, { "index.html": `<!doctype html><meta charset="utf-8"><title>Report</title>${scripts}${body}` });
  return join(work, "index.html");
};

const jsdoc = async (work: string) => {
  await write(work, { "sum.js": SOURCES["src/sum.mjs"] });
  await tool(work, [bin("jsdoc"), "--destination", "report", "sum.js"], [0]);
  return join(work, "report");
};

const bundleAnalyzer = async (work: string) => {
  const stats = {
    assets: [{ name: "main.js", size: 300, chunks: [0], chunkNames: ["main"] }],
    chunks: [{ id: 0, names: ["main"], files: ["main.js"] }],
    modules: [
      { id: 1, name: "./a.js", size: 100, chunks: [0] },
      { id: 2, name: "./b.js", size: 200, chunks: [0] },
    ],
  };
  await write(work, { "stats.json": JSON.stringify(stats) });
  const options = ["--mode", "static", "--report", "report/index.html", "--no-open"];
  await tool(work, [bin("webpack-bundle-analyzer"), "stats.json", ...options], [0]);
  return join(work, "report/index.html");
};

const bundled = async (work: string) => {
  await write(work, SOURCES);
  const options = ["--bundle", "--format=esm", "--metafile=meta.json", "--sourcemap", "--outfile=bundle.js"];
  await tool(work, [bin("esbuild"), "run.mjs", ...options], [0]);
};

const esbuildVisualizer = (template: string) => async (work: string) => {
  await bundled(work);
  const options = ["--metadata", "meta.json", "--filename", "index.html", "--template", template];
  await tool(work, [bin("esbuild-visualizer"), ...options], [0]);
  return join(work, "index.html");
};

const sourceMapExplorer = async (work: string) => {
  await bundled(work);
  await tool(work, [bin("source-map-explorer"), "bundle.js", "--html", "index.html", "--no-border-checks"], [0]);
  return join(work, "index.html");
};

const CUCUMBER = `
const { CucumberHtmlStream } = require("@cucumber/html-formatter");
const { createWriteStream } = require("node:fs");
const stream = new CucumberHtmlStream();
stream.pipe(createWriteStream("index.html"));
const timestamp = { seconds: 1, nanos: 0 };
stream.write({ meta: { protocolVersion: "27.0.0", implementation: { name: "a", version: "1" }, runtime: { name: "a" }, os: { name: "a" }, cpu: { name: "a" } } });
stream.write({ testRunStarted: { timestamp } });
stream.write({ testRunFinished: { success: true, timestamp } });
stream.end();`;

const cucumber = async (work: string) => {
  await linkModules(work);
  await write(work, { "make.cjs": CUCUMBER });
  await tool(work, ["node", "make.cjs"], [0]);
  return join(work, "index.html");
};

const PLOTLY = "plotly.js-dist-min/plotly.min.js";
const PLOTLY_BODY =
  '<div id="chart" style="width: 600px; height: 400px"></div><script>Plotly.newPlot("chart", [{ type: "bar", x: ["a", "b"], y: [3, 5] }])</script>';
const VEGA = { "vega.js": "vega/build/vega.min.js", "vega-lite.js": "vega-lite/build/vega-lite.min.js" };
const VEGA_BODY = `<div id="chart"></div><script>vegaEmbed("#chart", { data: { values: [{ a: "x", b: 3 }] }, mark: "bar", encoding: { x: { field: "a" }, y: { field: "b", type: "quantitative" } } })</script>`;

export const REPORT_TOOLS: readonly ReportTool[] = [
  { name: "mochawesome", make: mochawesome(false) },
  { name: "mochawesome in one file", make: mochawesome(true) },
  ...["treemap", "sunburst", "network", "flamegraph"].map((template) => ({
    name: `rollup visualizer, ${template}`,
    make: visualizer(template),
  })),
  { name: "c8", make: coverage("html") },
  { name: "c8 as one page", make: coverage("html-spa") },
  { name: "c8 with lcov", make: coverage("lcov", "coverage/lcov-report") },
  { name: "Playwright", make: playwright },
  { name: "Allure Awesome", ...allure("awesome") },
  { name: "Allure Classic", ...allure("classic") },
  { name: "Allure Dashboard", ...allure("dashboard") },
  { name: "Vitest", make: vitest },
  { name: "nbconvert, lab", needs: "jupyter-nbconvert", make: notebook("html", "lab") },
  { name: "nbconvert, classic", needs: "jupyter-nbconvert", make: notebook("html", "classic") },
  { name: "nbconvert, basic", needs: "jupyter-nbconvert", make: notebook("html", "basic") },
  { name: "nbconvert, slides", needs: "jupyter-nbconvert", make: notebook("slides", "") },
  { name: "jsdoc", make: jsdoc },
  { name: "webpack-bundle-analyzer", make: bundleAnalyzer },
  { name: "esbuild-visualizer, treemap", make: esbuildVisualizer("treemap") },
  { name: "esbuild-visualizer, sunburst", make: esbuildVisualizer("sunburst") },
  { name: "source-map-explorer", make: sourceMapExplorer },
  { name: "Cucumber", make: cucumber },
  { name: "Plotly", make: page({ "plotly.js": PLOTLY }, PLOTLY_BODY) },
  { name: "Plotly in the page", make: inlined([PLOTLY], PLOTLY_BODY) },
  { name: "Vega-Embed", make: page({ ...VEGA, "vega-embed.js": "vega-embed/build/vega-embed.min.js" }, VEGA_BODY) },
  {
    name: "Chart.js",
    make: page(
      { "chart.js": "chart.js/dist/chart.umd.js" },
      '<canvas id="chart"></canvas><script>new Chart("chart", { type: "bar", data: { labels: ["a"], datasets: [{ data: [3] }] } })</script>',
    ),
  },
  {
    name: "D3",
    make: page(
      { "d3.js": "d3/dist/d3.min.js" },
      '<svg></svg><script>d3.select("svg").append("circle").attr("r", 9)</script>',
    ),
  },
  {
    name: "Leaflet",
    make: page(
      { "leaflet.js": "leaflet/dist/leaflet.js", "leaflet.css": "leaflet/dist/leaflet.css" },
      '<div id="map" style="height: 300px"></div><script>L.map("map").setView([0, 0], 2).addLayer(L.circle([0, 0], 9))</script>',
    ),
  },
  {
    name: "DataTables with saved state",
    make: page(
      {
        "a-jquery.js": "jquery/dist/jquery.min.js",
        "datatables.js": "datatables.net/js/dataTables.min.js",
        "datatables.css": "datatables.net-dt/css/dataTables.dataTables.min.css",
      },
      '<table id="t"><thead><tr><th>a<tbody><tr><td>1</table><script>new DataTable("#t", { stateSave: true })</script>',
    ),
  },
];
