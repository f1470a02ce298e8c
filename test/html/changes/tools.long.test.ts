import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBlocks } from "../../../src/html/blocks/page-blocks.ts";
import type { Change } from "../../../src/html/changes/change.ts";
import { compareBlocks } from "../../../src/html/changes/compare-blocks.ts";
import { pythonUnavailable } from "../../python/support.ts";
import { describeIf } from "../../support/skip.ts";
import { onThisMachine, quickest } from "../../support/timing.ts";

const compare = (before: string, after: string) => compareBlocks(readBlocks(before).blocks, readBlocks(after).blocks);

/** Runs Python, which prints a page; `value` is the number that differs between pages. */
function render(script: string, value: number): string {
  const source = `import warnings; warnings.simplefilter("ignore")\nvalue = ${value}\n${script}`;
  const { stdout, stderr, exitCode } = Bun.spawnSync(["/usr/bin/python3", "-c", source], {
    env: { ...process.env, MPLBACKEND: "Agg" },
  });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

const FRAME = `import pandas as pd
df = pd.DataFrame({"region": ["North", "South", "West"], "sales": [1200.5, value, 30]})
`;

interface Tool {
  modules: readonly string[];
  script: string;
  change: Partial<Change>;
}

const TOOLS: Readonly<Record<string, Tool>> = {
  pandas: {
    modules: ["pandas"],
    script: `${FRAME}print(df.to_html())`,
    change: { kind: "cell", label: "sales, South", difference: 5 },
  },
  "pandas Styler": {
    modules: ["pandas", "jinja2"],
    script: `${FRAME}print(df.style.format({"sales": "{:,.1f}"}).background_gradient(axis=None, vmin=0, vmax=2000, subset=["sales"]).to_html())`,
    change: { kind: "cell", label: "sales, South", difference: 5 },
  },
  Plotly: {
    modules: ["plotly"],
    script: `import plotly.graph_objects as go
figure = go.Figure(go.Bar(x=["North", "South"], y=[3, value], name="Orders"), layout_title_text="Orders")
print(figure.to_html(include_plotlyjs="cdn"))`,
    change: { kind: "chart", difference: 5 },
  },
  Matplotlib: {
    modules: ["matplotlib"],
    script: `import io, matplotlib.pyplot as plt
figure, axes = plt.subplots()
axes.plot([1, 2, 3], [3, 1, value], marker="o")
out = io.StringIO()
figure.savefig(out, format="svg")
print("<h1>Trend</h1>" + out.getvalue())`,
    change: { kind: "image" },
  },
};

for (const [name, { modules, script, change }] of Object.entries(TOOLS)) {
  describeIf(name, pythonUnavailable(...modules), () => {
    test("made again, nothing changes; with another value, only that", () => {
      const [first, again, changed] = [render(script, 900), render(script, 900), render(script, 905)];
      expect(readBlocks(first).blocks.length).toBeGreaterThan(0);
      expect(compare(first, again).changes).toEqual([]);
      expect(compare(first, changed).changes).toMatchObject([change]);
    }, 120_000);
  });
}

describeIf("Jupyter", Bun.which("jupyter-nbconvert") === null ? "nbconvert is missing" : undefined, () => {
  const notebook = (count: number, value: number) => ({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: {},
    cells: [
      { id: `m${count}`, cell_type: "markdown", metadata: {}, source: "# Sales\n\nAll regions." },
      {
        id: `c${count}`,
        cell_type: "code",
        metadata: {},
        execution_count: count,
        source: "total",
        outputs: [
          {
            output_type: "execute_result",
            execution_count: count,
            metadata: {},
            data: { "text/plain": `Total: ${value}` },
          },
        ],
      },
    ],
  });

  test("made again, nothing changes; with another value, only that", () => {
    const directory = mkdtempSync(join(tmpdir(), "vitrine-changes-"));
    const convert = (count: number, value: number) => {
      const file = join(directory, "report.ipynb");
      writeFileSync(file, JSON.stringify(notebook(count, value)));
      const { exitCode, stderr } = Bun.spawnSync(["jupyter-nbconvert", "--to", "html", file]);
      if (exitCode !== 0) throw new Error(stderr.toString());
      return readFileSync(join(directory, "report.html"), "utf8");
    };
    const [first, again, changed] = [convert(1, 900), convert(7, 900), convert(1, 905)];
    rmSync(directory, { recursive: true });
    expect(compare(first, again).changes).toEqual([]);
    expect(compare(first, changed).changes).toMatchObject([{ kind: "number", before: "900", after: "905" }]);
  }, 120_000);
});

describeIf("coverage.py", pythonUnavailable("coverage"), () => {
  const PROGRAM = `import sys
def grade(value):
    if value > 900:
        return "high"
    return "low"
for each in sys.argv[1:]:
    print(grade(int(each)))
`;

  /** Measures a run of a program, and returns the pages of the report. */
  function cover(...values: readonly number[]): string[] {
    const directory = mkdtempSync(join(tmpdir(), "vitrine-changes-"));
    writeFileSync(join(directory, "grade.py"), PROGRAM);
    for (const args of [["run", "grade.py", ...values.map(String)], ["html"]]) {
      const { exitCode, stderr } = Bun.spawnSync(["/usr/bin/python3", "-m", "coverage", ...args], { cwd: directory });
      if (exitCode !== 0) throw new Error(stderr.toString());
    }
    const pages = ["index.html", "grade_py.html"].map((name) => readFileSync(join(directory, "htmlcov", name), "utf8"));
    rmSync(directory, { recursive: true });
    return pages;
  }

  test("measured again, nothing changes; with another run, only what it covers", () => {
    const [index = "", file = ""] = cover(900);
    // The report says the minute.
    const later = cover(900).map((page) => page.replaceAll(/created at [-\d]+ [:\d]+/g, "created at 2020-01-31 23:59"));
    expect(later.map((page) => page.includes("2020-01-31"))).toEqual([true, true]);
    expect(compare(index, later[0] ?? "").changes).toEqual([]);
    expect(compare(file, later[1] ?? "").changes).toEqual([]);
    const { changes } = compare(index, cover(900, 905)[0] ?? "");
    expect(changes.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      ["number", "86%", "100%"],
      ["cell", "1", "0"],
      ["cell", "86%", "100%"],
      ["cell", "1", "0"],
      ["cell", "86%", "100%"],
    ]);
  }, 120_000);
});

test("a table of 5,000 rows takes at most 300 ms of processor time", () => {
  const page = (added: number) => {
    const rows = Array.from(
      { length: 5_000 },
      (_, row) => `<tr><td>${row * 7}<td>name ${row}<td>${row % 50 === 0 ? row + added : row}<td>${row % 13}`,
    );
    return `<table><thead><tr><th>id<th>name<th>value<th>group</thead>${rows.join("")}</table>`;
  };
  const [before, after] = [readBlocks(page(0)).blocks, readBlocks(page(1)).blocks];
  const time = quickest(() => expect(compareBlocks(before, after).summary.sentence).toBe("100 numbers"));
  expect(time).toBeLessThan(onThisMachine(300));
});
