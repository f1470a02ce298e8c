import type { Page } from "playwright-core";
import { z } from "zod";

/** Runs in the page before its scripts, and records how long each interaction took until the next paint. */
export const INTERACTION_PROBE = `
globalThis.__interactions = []
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) __interactions.push(entry.duration)
}).observe({ type: "event", durationThreshold: 16, buffered: true })`;

/** The report whose page is opened. */
export const REAL_REPORT = "A report with a page";

const readDurations = async (page: Page): Promise<number[]> => {
  // Entries arrive some time after the paint.
  await page.waitForTimeout(500);
  return z.array(z.number()).parse(await page.evaluate("__interactions.splice(0)"));
};

/** Returns the milliseconds from each interaction with the list to the next paint. */
export async function timeListInteractions(page: Page): Promise<number[]> {
  const rows = page.locator("[role=row][data-key]");
  const search = page.getByRole("searchbox", { name: /^Search / });
  for (let row = 0; row < 8; row++) await rows.nth(row).getByRole("checkbox").click();
  await rows
    .nth(12)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  for (let press = 0; press < 30; press++) await page.keyboard.press("ArrowDown");
  for (let press = 0; press < 10; press++) await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Escape");
  await search.click();
  await page.keyboard.type("weekly sales", { delay: 90 });
  await page.waitForTimeout(500);
  for (let press = 0; press < 12; press++) await page.keyboard.press("Backspace", { delay: 60 });
  return readDurations(page);
}

/** Returns the milliseconds from each interaction with the other pages, their menus and dialogs to the next paint. */
export async function timeOtherInteractions(page: Page): Promise<number[]> {
  const button = (name: string | RegExp) => page.getByRole("button", { name }).filter({ visible: true }).first();
  const dismiss = async () => {
    await page.keyboard.press("Escape");
    // Also those that only fade out, because keys belong to them until then.
    await page.locator("[aria-modal=true], [role=menu]:not([hidden])").first().waitFor({ state: "detached" });
  };
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("tokens", { delay: 90 });
  await dismiss();
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await dismiss();
  for (const name of [/^Filter/, /^Sort/, "Columns", /^Account of/, /Switch workspace$/]) {
    await button(name).click();
    await page.locator("[role=dialog], [role=menu]").filter({ visible: true }).first().waitFor();
    await dismiss();
  }
  await page.getByRole("radio", { name: "Gallery" }).click();
  await page.getByRole("gridcell").first().waitFor();
  await page.getByRole("radio", { name: "List" }).click();
  await page.getByRole("link", { name: REAL_REPORT }).first().click();
  await page.getByRole("heading", { level: 1, name: REAL_REPORT }).waitFor();
  for (const name of ["More actions", "Developer", "Share"]) {
    await button(name).click();
    await page.locator("[role=dialog], [role=menu]").filter({ visible: true }).first().waitFor();
    await dismiss();
  }
  await button("Details").click();
  await button("Comments").click();
  await page.getByRole("link", { name: "Files" }).first().click();
  await page.getByRole("table", { name: "Files" }).waitFor();
  await page.getByRole("link", { name: "Publish" }).first().click();
  await page.getByText("Drop files or a folder here").waitFor();
  await button("Paste HTML").click();
  await page.keyboard.type("<p>typed", { delay: 90 });
  return readDurations(page);
}
