import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { itemRoute, itemVersionsRoute } from "../../src/contract/reports/details.ts";
import { useBrowser } from "../support/chromium.ts";
import { clientEnvironment, run } from "../support/cli.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";

const RSCRIPT = "/usr/bin/Rscript";

/** Returns why R can't run a script that loads these packages, or undefined. */
function rUnavailable(...packages: readonly string[]): string | undefined {
  if (Bun.which(RSCRIPT) === null) return `${RSCRIPT} is missing`;
  const missing = packages.filter(
    (name) => Bun.spawnSync([RSCRIPT, "-e", `stopifnot(requireNamespace("${name}", quietly = TRUE))`]).exitCode !== 0,
  );
  return missing.length === 0 ? undefined : `missing for R: ${missing.join(", ")}`;
}

describeIf("the R package", rUnavailable("curl", "httr2", "jsonlite", "openssl", "ggplot2", "htmlwidgets"), () => {
  const service = useService();
  const browser = useBrowser();
  const ada = use(() => service.build.user());
  const place = use(async () => {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-r-"));
    const library = join(directory, "library");
    await mkdir(library);
    const archive = `${service.baseUrl}/-/r-package/vitrine_${packageJson.version}.tar.gz`;
    const script = `install.packages("${archive}", repos = NULL, lib = "${library}", quiet = TRUE)`;
    const { code, stderr } = await run([RSCRIPT, "-e", script]);
    if (code !== 0) throw new Error(`The R package wasn't installed: ${stderr}`);
    return { directory, library, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
  });

  const r = (script: string, token = ada.token) =>
    run([RSCRIPT, "-e", script], {
      environment: { ...clientEnvironment(service, token), R_LIBS: place.library },
      directory: place.directory,
    });

  async function output(script: string): Promise<string> {
    const { code, stdout, stderr } = await r(script);
    if (code !== 0) throw new Error(`R ended with ${code}: ${stderr}`);
    return stdout.trim();
  }

  const failure = async (script: string, token?: string) => {
    const { code, stderr } = await r(script, token);
    expect(code).toBe(1);
    return stderr;
  };

  /** Publishes an object of R under a new name, and opens it. */
  async function show(code: string) {
    const name = uniqueName();
    await output(`${code}; vitrine::publish(x, name = "${name}", title = "Cars & more", public = TRUE)`);
    const page = await browser.newPage();
    await page.goto(`${service.contentUrl}/@${ada.slug}/${name}/`);
    await page.title();
    const report = page.frameLocator("iframe");
    return { name, page, report, [Symbol.asyncDispose]: () => page.close() };
  }

  test("publishes with a title, tags, a folder and a note, and again under the same name", async () => {
    const name = uniqueName();
    const text = await output(
      `print(vitrine::publish("<h1>Sales</h1>", name = "${name}", title = "Sales", public = TRUE, tags = c("Weekly", "Region/North"), folder = "Team/2026", message = "First"))`,
    );
    expect(text).toBe(`Published: ${service.contentUrl}/@${ada.slug}/${name}/`);
    const client = service.client(ada.token);
    const item = await client.call(itemRoute, { query: { name } });
    expect(item).toMatchObject({ title: "Sales", visibility: "public" });
    expect(item.tags.map(({ title }) => title).sort()).toEqual(["North", "Weekly"]);
    const versions = async () => (await client.call(itemVersionsRoute, { query: { name, limit: 10 } })).versions;
    expect((await versions())[0]?.note).toBe("First");

    const again = await output(`vitrine::publish("<h1>Sales</h1>", name = "${name}", tags = "weekly")`);
    expect(again).toStartWith("No changes. Already published: ");
    await output(`vitrine::publish("<h1>Sales rose</h1>", name = "${name}")`);
    expect(await versions()).toHaveLength(2);
    expect((await client.call(itemRoute, { query: { name } })).tags).toHaveLength(2);
  });

  test("publishes a directory and a file", async () => {
    await Bun.write(join(place.directory, "site/index.html"), "<title>Site</title><img src=a.svg>");
    await Bun.write(join(place.directory, "site/a.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    const code = await output(`cat(vitrine::publish("site")$code)`);
    const files = await fetch(`${service.contentUrl}/${code}/a.svg`, {
      headers: { Authorization: `Bearer ${ada.token}` },
    });
    expect(await files.text()).toBe("<svg xmlns='http://www.w3.org/2000/svg'/>");
    expect(await output(`cat(vitrine::publish("site/index.html")$version_url)`)).toContain("http");
  });

  test("shows a data frame", async () => {
    await using shown = await show(`x <- data.frame(region = c("North <b>", NA), sales = c(1200.5, 900.25))`);
    await shown.report.getByRole("heading", { name: "Cars & more" }).waitFor();
    expect(await shown.report.getByRole("row").allInnerTexts()).toEqual([
      "region\tsales",
      "North <b>\t1200.5",
      "\t900.25",
    ]);
  });

  test("shows plots of ggplot2 and of R itself", async () => {
    await using drawn = await show(`library(ggplot2); x <- ggplot(mtcars, aes(wt, mpg)) + geom_point()`);
    await drawn.report.locator("svg").waitFor();
    expect(await drawn.report.locator("svg use, svg path, svg circle").count()).toBeGreaterThan(20);
    await using recorded = await show(`pdf(NULL); dev.control("enable"); plot(1:10); x <- recordPlot()`);
    await recorded.report.locator("svg").waitFor();
  });

  test("says what is wrong", async () => {
    expect(await failure(`vitrine::publish("missing.html")`)).toContain(
      'There is no file or directory "missing.html".',
    );
    await Bun.write(join(place.directory, "notes.Rmd"), "# Notes");
    expect(await failure(`vitrine::publish("notes.Rmd")`)).toContain('"notes.Rmd" isn\'t HTML. Render it first');
    await Bun.write(join(place.directory, "deep/a/index.html"), "x");
    expect(await failure(`vitrine::publish("deep")`)).toContain("Reports can't contain folders, such as a.");
    expect(await failure(`vitrine::publish(1i)`)).toContain("An object of class complex can't be published.");
    expect(await failure(`vitrine::publish("<p>", name = "Not A Name")`)).toContain("name");
    expect(await failure(`vitrine::publish("<p>")`, "vtr_wrong")).toContain("set VITRINE_TOKEN to a valid token.");
    expect(await failure(`vitrine::publish("<p>", url = "nowhere")`)).toContain(
      '"nowhere" isn\'t a valid server address.',
    );
    expect(await failure(`vitrine::publish("<p>", url = "http://localhost:1")`)).toContain(
      "Can't reach the server at http://localhost:1.",
    );
  });
});
