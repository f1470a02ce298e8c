import type { Browser, BrowserContext, Frame, Page } from "playwright-core";
import { launchChromium } from "../../test/support/chromium.ts";
import type { Vitrine } from "./vitrine.ts";

/**
 * Starts a browser in which a page that no server sent may frame reports of this machine. As desktop browsers do, it gives a report a
 * process, so that what the report costs doesn't count for the page around it.
 */
export const launchAround = (): Promise<Browser> =>
  launchChromium({ args: ["--disable-features=LocalNetworkAccessChecks", "--site-per-process"] });

/** Opens an empty page of the application host, which may frame reports, in a new profile. */
export async function openAround(browser: Browser, { baseUrl }: Pick<Vitrine, "baseUrl">): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const around = `${baseUrl}/-/around`;
  await context.route(around, (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html><p>Around" }));
  await (await context.newPage()).goto(around);
  return context;
}

/** Returns the page of a context that `openAround` has opened. */
export function pageIn(context: BrowserContext): Page {
  const [page] = context.pages();
  if (page === undefined) throw new Error("The context has no page.");
  return page;
}

/** Frames a report in place of the one before, and waits until it has loaded. */
export async function frameIn(page: Page, address: string): Promise<Frame> {
  // The page can hear of the load before this program does.
  const framed = page.waitForEvent("framenavigated", (frame) => frame.url() === address);
  await page.evaluate(`new Promise((resolve) => {
    document.querySelector("iframe")?.remove();
    const frame = Object.assign(document.createElement("iframe"), { src: ${JSON.stringify(address)}, onload: resolve });
    frame.sandbox = "allow-scripts";
    frame.style = "position: fixed; inset: 0; width: 100%; height: 100%";
    document.body.append(frame);
  })`);
  return framed;
}
