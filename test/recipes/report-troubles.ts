import type { Browser, Page } from "playwright-core";

/** Problems while a report was shown and used, as reported by the browser. */
export interface Troubles {
  /** Uncaught errors, and messages about refused requests and policies. */
  messages: string[];
  /** Missing addresses on the content host. */
  missing: string[];
}

const MAX_CLICKS = 25;
/** Milliseconds. */
const QUIET_WITHIN = 10_000;
const CLICKABLE =
  "button, summary, [role=button], [role=tab], a[href^='#'], input[type=checkbox], input[type=submit], select, th";

/** Opens a report, clicks everything clickable, and returns the problems. */
export async function exerciseReport(browser: Browser, url: string): Promise<Troubles> {
  const page = await browser.newPage();
  const troubles: Troubles = { messages: [], missing: [] };
  const origin = new URL(url).origin;
  page.on("pageerror", (error) => troubles.messages.push(`${error.name}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.messages.push(`console: ${message.text()}`);
  });
  page.on("requestfailed", (request) => {
    if (request.url().startsWith("file:")) troubles.messages.push(`failed: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() === 404 && response.url().startsWith(origin) && !response.url().endsWith("/favicon.ico"))
      troubles.missing.push(response.url());
  });
  // Requests to the internet are blocked, because its contents may change.
  await page.route(
    (address) => /^https?:$/.test(address.protocol) && address.origin !== origin,
    (route) => route.abort(),
  );
  await page.goto(url, { waitUntil: "load" });
  // Blocked requests of some reports count as running forever.
  await page.waitForLoadState("networkidle", { timeout: QUIET_WITHIN }).catch(() => undefined);
  await press(page, url);
  await page.close();
  return troubles;
}

async function press(page: Page, url: string): Promise<void> {
  const count = Math.min(MAX_CLICKS, await page.locator(CLICKABLE).count());
  for (let number = 0; number < count; number++) {
    const target = page.locator(CLICKABLE).nth(number);
    await target.click({ timeout: 300, noWaitAfter: true, force: true }).catch(() => undefined);
    if (!page.url().startsWith(url)) await page.goto(url).catch(() => undefined);
  }
  // A page behind another one, which a click can open, may never be idle.
  await page.evaluate("new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2000 }))");
}
