import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Frame, Locator } from "playwright-core";
import { itemVersionsRoute } from "../../src/contract/reports/details.ts";
import { searchRoute } from "../../src/contract/search/search.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { pythonOutput, pythonUnavailable } from "./support.ts";

interface Library {
  modules: readonly string[];
  /** Whether Debian has no package of the library, so that a module in `stand-ins/` takes its place. */
  isStandIn?: boolean;
  /** Defines `obj`. */
  script: string;
  /** Whether the object is a page, which a report with other objects frames. */
  isPage?: boolean;
  /** Throws if the page doesn't show the object. */
  see(page: Frame): Promise<unknown>;
}

const STAND_INS = new URL("stand-ins", import.meta.url).pathname;

/** Runs in the page, whose types this project doesn't load. */
const styleOf = (cell: Locator, property: string) =>
  cell.evaluate(
    (element, name) => element.ownerDocument.defaultView?.getComputedStyle(element).getPropertyValue(name),
    property,
  );

const FRAME = `import pandas as pd
df = pd.DataFrame({"region": ["North", "South"], "sales": [1200.5, 900.25]})
`;

const LIBRARIES: Readonly<Record<string, Library>> = {
  Matplotlib: {
    modules: ["matplotlib"],
    script: `import matplotlib.pyplot as plt
obj, axes = plt.subplots()
axes.plot([1, 2, 3], [3, 1, 2])
axes.set_title("Trend")`,
    see: async (page) => {
      await page.waitForLoadState();
      expect((await page.getByAltText("Trend").boundingBox())?.width).toBeGreaterThan(300);
    },
  },
  "Matplotlib with very many points": {
    modules: ["matplotlib", "numpy"],
    script: `import matplotlib.pyplot as plt, numpy as np
obj = plt.figure()
points = np.random.default_rng(1).normal(size=(20000, 2))
obj.gca().scatter(points[:, 0], points[:, 1])`,
    see: (page) => page.locator('img[src="figure-1.png"]').waitFor(),
  },
  Plotly: {
    modules: ["plotly"],
    script: `import plotly.graph_objects as go
obj = go.Figure(go.Bar(x=["North", "South"], y=[3, 4]), layout_title_text="Orders")`,
    see: (page) => page.locator(".gtitle", { hasText: "Orders" }).waitFor(),
  },
  pandas: {
    modules: ["pandas"],
    script: `${FRAME}obj = df`,
    see: async (page) => {
      const cell = page.getByRole("cell", { name: "1200.50" });
      await cell.waitFor();
      expect(await styleOf(cell, "text-align")).toBe("right");
    },
  },
  "pandas Styler": {
    modules: ["pandas", "jinja2"],
    script: `${FRAME}obj = df.style.highlight_max(subset=["sales"], color="rgb(1, 2, 3)")`,
    see: async (page) => {
      const color = await styleOf(page.getByRole("cell", { name: "1200.5" }), "background-color");
      expect(color).toBe("rgb(1, 2, 3)");
    },
  },
  "a long table": {
    modules: ["pandas"],
    script: `import pandas as pd
obj = pd.DataFrame({"number": range(2500)})`,
    see: async (page) => {
      await page.getByText("The first 1,000 of 2,500 rows.").waitFor();
      expect(await page.locator("tbody tr").count()).toBe(1000);
      expect(await (await page.page().request.get(new URL("table-1.csv", page.url()).href)).text()).toEndWith(
        "2499,2499\n",
      );
    },
  },
  seaborn: {
    modules: ["seaborn", "pandas"],
    script: `${FRAME}import seaborn
obj = seaborn.catplot(df, kind="bar", x="region", y="sales").set(title="By region")`,
    see: async (page) => {
      await page.waitForLoadState();
      expect((await page.getByAltText("By region").boundingBox())?.width).toBeGreaterThan(300);
    },
  },
  "a stand-in for Bokeh": {
    modules: [],
    isStandIn: true,
    isPage: true,
    script: `from bokeh.plotting import figure
obj = figure(title="Trend")`,
    see: async (page) => {
      await page.getByText("Drawn: Trend").waitFor();
      expect(await page.title()).toBe("Trend");
    },
  },
  "a stand-in for a layout of Bokeh": {
    modules: [],
    isStandIn: true,
    isPage: true,
    script: `from bokeh.layouts import row
obj = row()`,
    see: (page) => page.getByText("Drawn: untitled").waitFor(),
  },
  "a stand-in for great_tables": {
    modules: [],
    isStandIn: true,
    script: `from great_tables import GT
obj = GT(["North", "South"])`,
    see: async (page) => {
      expect(await styleOf(page.getByRole("cell", { name: "North" }), "color")).toBe("rgb(1, 2, 3)");
    },
  },
  "a stand-in for pyvis": {
    modules: [],
    isStandIn: true,
    isPage: true,
    script: `from pyvis.network import Network
obj = Network(heading="Who knows whom")
obj.add_nodes(["Ada", "Grace"])`,
    see: async (page) => {
      await page.getByText("Nodes: Ada, Grace").waitFor();
    },
  },
  // Without the network, these show that the pages are complete, not what other hosts add.
  Altair: {
    modules: ["altair", "pandas"],
    script: `${FRAME}import altair
obj = altair.Chart(df, title="Sales </script>").mark_bar().encode(x="region", y="sales")`,
    see: async (page) => {
      expect(await page.title()).toBe("Sales </script>");
      expect(await page.locator("script[src*=vega-lite]").count()).toBe(1);
    },
  },
  folium: {
    modules: ["folium"],
    isPage: true,
    script: `import folium
obj = folium.Map([47.37, 8.54])
folium.Marker([47.37, 8.54]).add_to(obj)`,
    see: (page) => page.locator(".folium-map").waitFor({ state: "attached" }),
  },
};

const noBrowser = chromiumUnavailable();

describeIf("reports of Python libraries", noBrowser, () => {
  const service = useService();
  const ada = use(() => service.build.user());
  const browser = useBrowser();

  const output = (script: string) => pythonOutput(`import vitrine\n${script}`, service, ada.token);

  for (const [title, { modules, isStandIn = false, isPage = false, script, see }] of Object.entries(LIBRARIES)) {
    const start = isStandIn ? `import sys\nsys.path.insert(0, "${STAND_INS}")\n` : "";
    describeIf(title, pythonUnavailable(...modules), () => {
      test("shows the object, alone and among others, and makes no version of the same content", async () => {
        const name = uniqueName();
        const publish = (obj: string, more = "") =>
          output(`${start}${script}\nprint(vitrine.publish(${obj}, name="${name}", public=True${more}).is_new)`);
        expect(await publish("obj")).toBe("True");
        // A new process has new random identifiers.
        expect(await publish("obj")).toBe("False");
        const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
        await page.goto(`${service.contentUrl}/@${ada.slug}/${name}/`);
        const versions = () => service.client(ada.token).call(itemVersionsRoute, { query: { name, limit: 10 } });
        const [first] = (await versions()).versions;
        await page.goto(`${first?.url}`);
        await see(page.mainFrame());
        expect(await publish('["# Heading", obj]', ', title="All"')).toBe("True");
        expect(await publish('["# Heading", obj]', ', title="All"')).toBe("False");
        const [second] = (await versions()).versions;
        await page.goto(`${second?.url}`);
        await page.getByRole("heading", { name: "Heading" }).waitFor();
        const framed = isPage ? await (await page.waitForSelector("iframe")).contentFrame() : page.mainFrame();
        if (framed === null) throw new Error("The frame is gone.");
        // The title is then that of the report.
        if (title !== "Altair") await see(framed);
        await page.close();
      });
    });
  }
});

const GUIDES = new URL("../../docs/python/", import.meta.url).pathname;

/** What the examples of the guides use without defining it. */
const SALES = `import sys
sys.path.append("${STAND_INS}")
import pandas as pd
sales = pd.DataFrame({"region": ["North", "South"], "sales": [1200.5, 900.25]})
`;

describe("the examples in docs/python", () => {
  const service = useService();
  const ada = use(() => service.build.user());

  for (const library of ["altair", "bokeh", "folium", "great-tables", "matplotlib", "pandas", "plotly", "pyvis"]) {
    const guide = readFileSync(`${GUIDES}${library}.md`, "utf8");
    const examples = [...guide.matchAll(/```python\n([\s\S]+?)```/g)].map(([, code = ""]) => code);
    const imported = [...examples.join("").matchAll(/^(?:import|from) (\w+)/gm)].map(([, module = ""]) => module);
    const needed = imported.filter((module) => !["vitrine", "bokeh", "great_tables", "pyvis"].includes(module));
    describeIf(`of ${library}`, pythonUnavailable("pandas", ...needed), () => {
      test("run as they are written, and publish each object", async () => {
        const prefix = uniqueName("py");
        const script = SALES + examples.join("").replaceAll('"you-', `"${prefix}-`);
        await pythonOutput(script, service, ada.token);
        const { items } = await service.client(ada.token).call(searchRoute, { query: { owner: ada.slug, q: prefix } });
        expect(items).toHaveLength(script.match(/name="/g)?.length ?? 0);
        expect(items.length).toBeGreaterThan(0);
      });
    });
  }
});

const CELL = `
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "vitrine")
`;

describeIf("Jupyter", pythonUnavailable("IPython", "nbconvert", "nbformat"), () => {
  const service = useService();
  const ada = use(() => service.build.user());

  test("publishes what a cell shows", async () => {
    const name = uniqueName();
    const printed = await pythonOutput(
      `${CELL}
result = shell.run_cell_magic("vitrine", "${name} --title 'From a cell' --tag weekly", """
from IPython.display import HTML, display
print("printed <1>")
display(HTML("<b>displayed</b>"))
HTML("<i>last</i>")
""")
import vitrine
print(vitrine.read("${name}").text)
shell.run_cell_magic("vitrine", "${name}", "1/0")
shell.run_cell_magic("vitrine", "--nonsense", "1")
print(vitrine.read("${name}").text.count("<h1>"))`,
      service,
      ada.token,
    );
    for (const part of ["<h1>From a cell</h1>", "printed &lt;1&gt;", "<b>displayed</b>", "<i>last</i>"])
      expect(printed).toContain(part);
    expect(printed.split("<i>last</i>")).toHaveLength(2);
    expect(printed).toEndWith("1");
  });

  test("publishes the notebook", async () => {
    const name = uniqueName();
    const printed = await pythonOutput(
      `${CELL}
import nbformat, tempfile, os, vitrine
v = nbformat.v4
notebook = v.new_notebook(cells=[v.new_markdown_cell("# A notebook"), v.new_code_cell("6 * 7")])
path = os.path.join(tempfile.mkdtemp(), "my notebook.ipynb")
nbformat.write(notebook, path)
print(shell.run_line_magic("vitrine_publish", f"${name} --notebook '{path}'").is_new)
print(vitrine.publish(path, name="${name}").is_new)
print("A notebook" in vitrine.read("${name}").text)`,
      service,
      ada.token,
    );
    expect(printed.split("\n")).toEqual(["True", "False", "True"]);
  });
});
