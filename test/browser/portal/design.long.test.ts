import { expect, test } from "bun:test";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { findBarriers } from "./portal.ts";

const isBuilt = Boolean(process.env.VITRINE_TEST_PROGRAM);
const UNAVAILABLE = chromiumUnavailable() ?? (isBuilt ? "executables don't have this page" : undefined);

describeIf("the page that shows the design in development", UNAVAILABLE, () => {
  const service = useService({ environment: { NODE_ENV: "development" } });
  const browser = useBrowser();

  test.each([
    ["light", 1440],
    ["dark", 1440],
    ["light", 390],
    ["dark", 390],
  ] as const)("shows every part without barriers: %s, %d pixels", async (colorScheme, width) => {
    const page = await browser.newPage({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: "reduce",
    });
    const troubles: string[] = [];
    page.on("pageerror", ({ message }) => troubles.push(message));
    await page.goto(`${service.baseUrl}/-/design`);
    for (const part of ["Type", "Colors", "Buttons", "Fields", "List rows", "Reader's bar", "Notices and empty states"])
      await page.getByRole("region", { name: part }).waitFor();
    await page.locator(".reader-bar").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await page.getByRole("button", { name: "Open menu" }).click();
    await page.getByRole("menuitem", { name: "Delete report" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Open dialog" }).click();
    await page.getByRole("dialog", { name: "Delete 3 reports?" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Show toast" }).click();
    await page.getByText("Link copied").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(troubles).toEqual([]);
    await page.close();
  });
});
