import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { logged } from "../../support/log.ts";
import { useOwnService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { findBarriers } from "./portal.ts";

const SLUG = "ada";
const NAME = "first-figures";
const DOCUMENT = "<!doctype html><title>First figures</title><h1>42 apples</h1>";

/** Directory for screenshots, if set: `VITRINE_SCREENSHOTS=/tmp/steps`. */
const DIRECTORY = process.env.VITRINE_SCREENSHOTS;

describeIf("a newcomer's first steps", chromiumUnavailable(), () => {
  const service = useOwnService();
  const browser = useBrowser();

  let steps = 0;
  async function look(page: Page): Promise<void> {
    expect(await findBarriers(page)).toEqual([]);
    if (DIRECTORY !== undefined) await page.screenshot({ path: `${DIRECTORY}/step-${++steps}.png` });
  }

  test("lead from the set-up link to a live link that anyone can open", async () => {
    const [setUp] = await logged(service, /http\S+\/-\/set-up\?token=\w{32}/);
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    const page = await context.newPage();

    await page.goto(setUp);
    await look(page);
    await page.getByLabel("Email address").fill("ada@example.org");
    await page.getByLabel("Username").fill(SLUG);
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Create account" }).click();

    await page.waitForURL(`${service.baseUrl}/-/w/${SLUG}`);
    await page.getByText("Publish your first report").waitFor();
    await look(page);
    await page.getByRole("main").getByRole("link", { name: "Paste HTML" }).click();
    await page.getByRole("button", { name: "Paste HTML" }).click();
    await page.getByRole("textbox", { name: "HTML source" }).fill(DOCUMENT);
    await look(page);
    await page.getByRole("button", { name: "Use this HTML" }).click();
    await page.getByText(`Live link: ${service.baseUrl}/${NAME}/`).waitFor();
    await look(page);
    await page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).click();

    await page.waitForURL(`${service.baseUrl}/-/r/${NAME}?share=true`);
    await page.getByRole("heading", { name: "First figures", level: 1, includeHidden: true }).waitFor();
    await page.getByText("Published. The live link is in your clipboard.").waitFor();
    const link = await page.evaluate("navigator.clipboard.readText()");
    expect(link).toBe(`${service.baseUrl}/${NAME}/`);
    await page.getByRole("radio", { name: "Public" }).click();
    await page.getByText("Now public").waitFor();
    await look(page);

    const reader = await browser.newContext();
    const shown = await reader.newPage();
    await shown.goto(String(link));
    await shown.frameLocator("iframe").getByText("42 apples").waitFor();
    await Promise.all([context.close(), reader.close()]);
  });
});
