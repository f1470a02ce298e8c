import { beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { setVisibilityRoute } from "../../src/contract/reports/visibility.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { openWorkplace, readRecipes, registryUnavailable } from "./support.ts";

const recipes = await readRecipes();

const SPECIFICATION = `import { expect, test } from "@playwright/test";
test("adds", () => { expect(1 + 1).toBe(2); });
test("fails with an é", async () => {
  await test.info().attach("notes", { body: "What was attached", contentType: "text/plain" });
  expect("é").toBe("e");
});
`;
const NOTEBOOK = JSON.stringify({
  cells: [
    { cell_type: "markdown", metadata: {}, source: ["# A notebook"] },
    {
      cell_type: "code",
      execution_count: 1,
      metadata: {},
      outputs: [{ name: "stdout", output_type: "stream", text: ["42 is the answer\n"] }],
      source: ["print(6 * 7, 'is the answer')"],
    },
  ],
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  nbformat_minor: 5,
});

type Shown = Page | FrameLocator;

interface Project {
  name: string;
  /** Files of the project to which the recipe is applied. */
  files: Readonly<Record<string, string>>;
  needsRegistry: boolean;
  unavailable?: string | undefined;
  /** Clicks through the report. Throws if it does not work. */
  use(report: Shown): Promise<void>;
}

const PROJECTS: Readonly<Record<string, Project>> = {
  Playwright: {
    name: "you-end-to-end",
    files: { "tests/sums.spec.mjs": SPECIFICATION },
    needsRegistry: true,
    async use(report) {
      await report.getByRole("link", { name: "fails with an é" }).first().click();
      await report.getByText("Expected:").first().waitFor();
      await report.getByText("notes").first().click();
      await report.getByText("What was attached").first().waitFor();
      await report
        .getByRole("link", { name: /^Passed/ })
        .first()
        .click();
      await report.getByRole("link", { name: "adds" }).first().waitFor();
    },
  },
  Allure: {
    name: "you-allure",
    files: { "tests/sums.spec.mjs": SPECIFICATION },
    needsRegistry: true,
    async use(report) {
      await report.getByText("fails with an é").first().click();
      await report.getByText("Object.is equality").first().waitFor();
    },
  },
  Vitest: {
    name: "you-unit-tests",
    files: {
      "tests/sum.test.mjs": `import { expect, test } from "vitest";
        test("adds", () => expect(1 + 1).toBe(2));
        test("fails with an é", () => expect("é").toBe("e"));`,
    },
    needsRegistry: true,
    async use(report) {
      await report.getByText("fails with an é").first().click();
      await report.getByText("AssertionError").first().waitFor();
    },
  },
  Coverage: {
    name: "you-coverage",
    files: {
      "src/sum.mjs": "export function sum(a, b) {\n  if (a > 9) {\n    return 0;\n  }\n  return a + b;\n}\n",
      "tests/run.mjs": 'import { sum } from "../src/sum.mjs";\nif (sum(1, 1) !== 2) process.exit(1);\n',
    },
    needsRegistry: true,
    async use(report) {
      await report.getByRole("link", { name: "sum.mjs" }).click();
      await report.getByText("return a + b").first().waitFor();
      await report.getByRole("link", { name: "All files" }).click();
      await report.getByRole("link", { name: "sum.mjs" }).waitFor();
    },
  },
  Jupyter: {
    name: "you-notebook",
    files: { "report.ipynb": NOTEBOOK },
    needsRegistry: false,
    unavailable:
      Bun.which("jupyter-nbconvert") === null
        ? "no jupyter nbconvert (Debian's package: jupyter-nbconvert)"
        : undefined,
    async use(report) {
      await report.getByRole("heading", { name: "A notebook" }).waitFor();
      await report.getByText("42 is the answer").waitFor();
    },
  },
  Plotly: {
    name: "you-sales-plotly",
    files: {},
    needsRegistry: true,
    use: (report) => report.locator("#chart .bars path").nth(1).waitFor(),
  },
  "Plotly in Python": {
    name: "you-sales-python",
    files: {},
    needsRegistry: false,
    unavailable: Bun.spawnSync(["/usr/bin/python3", "-c", "import plotly"]).success
      ? undefined
      : "no plotly for Python (Debian's package: python3-plotly)",
    use: (report) => report.locator(".plotly-graph-div .bars path").nth(1).waitFor(),
  },
  ECharts: {
    name: "you-sales-echarts",
    files: {},
    needsRegistry: true,
    use: (report) => report.locator("#chart svg path").nth(4).waitFor({ state: "attached" }),
  },
};

const registry = await registryUnavailable();

test("every recipe with commands is tested", () => {
  expect([...recipes.keys()]).toEqual(Object.keys(PROJECTS));
});

for (const [title, project] of Object.entries(PROJECTS)) {
  const unavailable = chromiumUnavailable() ?? project.unavailable ?? (project.needsRegistry ? registry : undefined);
  describeIf(`the recipe for ${title}`, unavailable, () => {
    const service = useService();
    const browser = useBrowser();
    let page: Page;
    let token: string;
    let slug: string;

    beforeAll(async () => {
      ({ token, slug } = await service.build.user());
      page = await browser.newPage();
    });

    test("leads to a report that works, by its version link and by its live link", async () => {
      const { files = {}, commands = "" } = recipes.get(title) ?? {};
      await using workplace = await openWorkplace(service, token, { ...files, ...project.files });
      const printed = await workplace.sh(`{\n${commands}\n} 2>notes.txt`);
      expect(await Bun.file(join(workplace.directory, "notes.txt")).text()).not.toContain("A script in");
      expect(printed.trimEnd().split("\n").at(-1)).toBe(`${service.baseUrl}/${project.name}/`);

      const client = service.client(token);
      await client.call(setVisibilityRoute, { body: { name: project.name, visibility: "public" } });
      const { current_code: code } = await client.call(groupRoute, { query: { name: project.name } });
      await page.goto(`${service.contentUrl}/${code}/`);
      await project.use(page);
      await page.goto(`${service.contentUrl}/@${slug}/${project.name}/`);
      await project.use(page.frameLocator("iframe"));

      const withStorage = commands.split("\n").find((line) => line.includes("--storage memory"));
      if (withStorage === undefined) return;
      const without = withStorage
        .replace(" --storage memory", " --public")
        .replace(`--name ${project.name}`, `--name ${uniqueName()}`);
      const link = (await workplace.sh(without)).trim();
      const failed = page.waitForEvent("pageerror");
      await page.goto(link);
      expect((await failed).message).toContain("localStorage");
      expect(await page.frameLocator("iframe").locator("body").innerText()).toBe("");
    });
  });
}
