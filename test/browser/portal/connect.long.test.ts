import { expect, test } from "bun:test";
import { delimiter } from "node:path";
import type { Page } from "playwright-core";
import { itemRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { useOwnService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { focused, makeFolder } from "./publishing.ts";

const BIN = new URL("../../../bin", import.meta.url).pathname;
const NAME = "weekly-sales";
const HTML = "<!doctype html><title>Sold “here”</title>\n<img src=chart.png>";
const PICTURE = new Uint8Array(100_000).map((_, position) => position * 7);

/** The command that runs a snippet, and the programs it needs. */
interface Runner {
  tab: string;
  needs: readonly string[];
  /** Whether it always reads the token from the environment. */
  isJob?: boolean;
  command(text: string): string[];
}

const inShell = (text: string) => ["bash", "-euo", "pipefail", "-c", text];
/** Returns the script of a job description: the lines below a marker. */
const inJob = (announcement: string, columns: number) => (text: string) => {
  const [, script = ""] = text.split(`${announcement}\n`);
  return inShell(script.replaceAll(new RegExp(`^ {${columns}}`, "gm"), ""));
};

const publishers: readonly Runner[] = [
  { tab: "Command line", needs: [], command: inShell },
  { tab: "curl", needs: ["curl", "jq"], command: inShell },
  { tab: "GitHub Actions", needs: ["curl", "jq"], isJob: true, command: inJob("run: |", 4) },
  { tab: "GitLab CI", needs: ["curl", "jq"], isJob: true, command: inJob("    - |", 6) },
  { tab: "Python", needs: ["python3"], command: (text) => ["python3", "-c", text] },
  { tab: "JavaScript", needs: ["node"], command: (text) => ["node", "--input-type=module", "-e", text] },
];

describeIf("connecting an agent or CI", chromiumUnavailable(), () => {
  // The snippets publish under a name of their own.
  const service = useOwnService();
  const browser = useBrowser();

  const snippetOf = async (page: Page, tab: string): Promise<string> => {
    await page.getByRole("tab", { name: tab, exact: true }).click();
    return (await page.getByRole("region", { name: `Snippet for ${tab}` }).textContent()) ?? "";
  };

  async function run(command: string[], directory: string, environment: Record<string, string> = {}): Promise<string> {
    const child = Bun.spawn(command, {
      cwd: directory,
      env: { PATH: `${BIN}${delimiter}${process.env.PATH}`, HOME: directory, ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect({ command, status, out, err }).toMatchObject({ status: 0 });
    return out;
  }

  /** Prints which snippets can't run here. */
  const isRunnable = ({ tab, needs }: Pick<Runner, "tab" | "needs">): boolean => {
    const absent = needs.filter((tool) => Bun.which(tool) === null);
    if (absent.length > 0) console.error(`SKIPPED the snippet for ${tab}: no ${absent.join(", ")}`);
    return absent.length === 0;
  };

  test("each snippet with a new token publishes a folder that reads back unchanged", async () => {
    const user = await service.build.user();
    const client = service.client(user.token);
    await using folder = await makeFolder({ "my-report/index.html": HTML, "my-report/chart.png": PICTURE });
    await using visitor = await openPortal(browser, service, user.email, { path: "/connect" });
    const { page } = visitor;
    await page.getByRole("button", { name: "Create access token" }).click();
    const token = await page.getByRole("textbox", { name: "Your access token" }).inputValue();
    await settled(() => focused(page), "Your access token");
    expect(await findBarriers(page)).toEqual([]);

    let versions = 0;
    for (const publisher of publishers) {
      const text = await snippetOf(page, publisher.tab);
      expect(text.includes(token)).toBe(publisher.isJob !== true);
      if (!isRunnable(publisher)) continue;
      await run(publisher.command(text), folder.path, publisher.isJob ? { VITRINE_TOKEN: token } : {});
      const { code, version_count } = await client.call(itemRoute, { query: { name: NAME } });
      expect(version_count).toBe(++versions);
      const headers = { Authorization: `Bearer ${user.token}` };
      const [index, chart] = await Promise.all(
        ["", "chart.png"].map((file) => fetch(`${service.contentUrl}/${code}/${file}`, { headers })),
      );
      expect(await index?.text()).toBe(HTML);
      expect(await chart?.bytes()).toEqual(PICTURE);
    }
    if (isRunnable({ tab: "Read back", needs: ["curl", "jq"] })) {
      expect(await run(inShell(await snippetOf(page, "Read back")), folder.path)).toBe(HTML);
    }
    expect(versions).toBeGreaterThan(0);
    expect(visitor.troubles).toEqual([]);
  });

  test("a token belongs to the chosen workspace; without one, snippets read the environment", async () => {
    const { slug, owner } = await service.build.organization();
    await using folder = await makeFolder({ "my-report/index.html": HTML });
    await using visitor = await openPortal(browser, service, `${owner.slug}@example.org`, {
      path: "/connect",
      viewport: { width: 390, height: 800 },
    });
    const { page, context } = visitor;
    await page.getByRole("combobox", { name: "Workspace" }).selectOption(slug);
    const text = await snippetOf(page, "Command line");
    const personal = await service.build.token({ userSlug: owner.slug });
    expect(await run(inShell(text.replace(NAME, "by-person")), folder.path, { VITRINE_TOKEN: personal })).toContain(
      "/by-person/",
    );

    await page.getByRole("button", { name: "Create access token" }).click();
    await page.getByRole("textbox", { name: "Your access token" }).waitFor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the snippet for Command line" }).click();
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));
    await run(inShell(copied.replace(NAME, "by-organization")), folder.path);
    const { owner_slug } = await service.client(owner.token).call(itemRoute, { query: { name: "by-organization" } });
    expect(owner_slug).toBe(slug);
    expect(visitor.troubles).toEqual([]);
  });

  test("every snippet is readable on a phone and by keyboard", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email, {
      path: "/connect",
      viewport: { width: 390, height: 800 },
      colorScheme: "dark",
    });
    const { page } = visitor;
    const tabs = page.getByRole("tab");
    await tabs.first().focus();
    expect(await page.getByRole("link", { name: "API reference" }).getAttribute("href")).toBe("/-/docs");
    const count = await tabs.count();
    expect(count).toBe(8);
    for (let position = 0; position < count; position++) {
      const name = (await tabs.nth(position).textContent()) ?? "";
      await page
        .getByRole("region", { name: `Snippet for ${name}` })
        .getByText(service.baseUrl)
        .first()
        .waitFor();
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
      await page.keyboard.press("ArrowRight");
    }
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Tab");
    await settled(() => focused(page), "Copy the snippet for Command line");
    expect(visitor.troubles).toEqual([]);
  });
});
