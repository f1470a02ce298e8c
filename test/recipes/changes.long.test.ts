import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { clientEnvironment, vitrine } from "../support/cli.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { REPORT_TOOLS, type ReportTool } from "./report-tools.ts";

/** Tools whose reports say how long tests took, and draw it, which changes each time. */
const TIMED = /^(Playwright|Vitest)/;
/** A report that throws in every browser, at another place each time. */
const UNSTEADY = "rollup visualizer, network";

describeIf("reports that tools make again of the same", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  let work: string;
  let user: { token: string; slug: string };

  beforeAll(async () => {
    [user, work] = await Promise.all([service.build.user(), mkdtemp(join(tmpdir(), "vitrine-again-"))]);
  });
  afterAll(() => rm(work, { recursive: true }));

  /** Makes a report at the same place as others of its tool, and keeps it elsewhere. */
  async function make({ name, make: makeIn, again }: ReportTool, number: number): Promise<string> {
    const place = join(work, "run");
    const isAgain = number > 1 && again !== undefined;
    if (!isAgain) await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    const made = await (isAgain ? again : makeIn)(place);
    const isPage = made.endsWith(".html");
    const kept = join(work, `${name.replace(/[^A-Za-z0-9]+/g, "-")}-${number}`);
    await cp(isPage ? dirname(made) : made, kept, { recursive: true, dereference: false });
    return isPage ? join(kept, basename(made)) : kept;
  }

  async function publish(path: string, name: string): Promise<void> {
    const args = ["publish", path, "--public", "--flatten", "--storage", "memory", "--name", name];
    const { code, stderr } = await vitrine(args, { environment: clientEnvironment(service, user.token) });
    if (code !== 0) throw new Error(`${name} wasn't published: ${stderr}`);
  }

  /**
   * Publishes two versions, and returns what the page of the live link says of the second. Undefined if a page asked for files
   * that it doesn't have: reports of Allure ask for their data before they have set it if the browser pauses while it reads them.
   */
  async function compare([first, second]: readonly [string, string]): Promise<string | undefined> {
    const name = uniqueName();
    await publish(first, name);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    let isWhole = true;
    page.on("response", (response) => {
      if (response.url().startsWith(service.contentUrl) && response.status() === 404) isWhole = false;
    });
    await page.goto(`${service.contentUrl}/@${user.slug}/${name}/`);
    await page.locator("iframe").waitFor();
    await publish(second, name);
    const said = page.getByText(/^Version 2: /).first();
    await said.waitFor({ state: "attached" });
    const text = (await said.textContent()) ?? "";
    await context.close();
    return isWhole ? text : undefined;
  }

  const tools = REPORT_TOOLS.filter(({ name, needs = "node" }) => Bun.which(needs) !== null && name !== UNSTEADY);

  test.each(tools.map((tool) => [tool.name, tool] as const))("%s: nothing changes", async (_, tool) => {
    const paths = [await make(tool, 1), await make(tool, 2)] as const;
    const text = await until(() => compare(paths));
    if (TIMED.test(tool.name)) expect(text).not.toMatch(/added|removed/);
    else expect(text).toBe("Version 2: no changes");
  });
});
