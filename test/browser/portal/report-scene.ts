import { afterEach, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { actionsOf } from "../../api/actions.ts";
import { useBrowser } from "../../support/chromium.ts";
import { useService } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { findBarriers, openPortal, type PortalVisitor, type VisitorOptions } from "./portal.ts";

interface Visit extends VisitorOptions {
  email: string;
  path: string;
}

/** A service, a browser, and the people who look at reports in it; nothing may have gone wrong behind their pages. */
export function createReportScene() {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);
  const visitors: PortalVisitor[] = [];

  beforeAll(async () => {
    // Whoever comes first waits until the portal has been bundled.
    await fetch(`${service.baseUrl}/-/assets/none.js`);
  });
  afterEach(async () => {
    const troubles = visitors.flatMap((visitor) => visitor.troubles);
    await Promise.all(visitors.splice(0).map((visitor) => visitor[Symbol.asyncDispose]()));
    expect(troubles).toEqual([]);
  });

  async function visit({ email, path, ...options }: Visit): Promise<Page> {
    const visitor = await openPortal(browser, service, email, { path, ...options });
    visitors.push(visitor);
    return visitor.page;
  }

  return {
    visit,
    get service() {
      return service;
    },
    get browser() {
      return browser;
    },
    get act() {
      return act;
    },
  };
}

/** An `index.html` with a heading. */
export const pageWith = (heading: string, more = "") => ({
  path: "index.html",
  content: `<!doctype html><title>${heading}</title>\n<h1>${heading}</h1>\n${more}`,
});

/** The heading of the report that the page frames. */
export const framed = (page: Page, heading: string) =>
  page.locator("iframe").last().contentFrame().getByRole("heading", { name: heading });

export const expectNoBarriers = async (page: Page) => expect(await findBarriers(page)).toEqual([]);

/** Whether what has the focus is where a person left off, and not lost. */
export const focusedText = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");

/** Chooses an entry of the menu that a button opens. */
export async function choose(page: Page, button: string, entry: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Waits until a page says so, as it would to a debugger. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(() => page.evaluate<boolean>(expression));
}

/** Nobody should have to scroll sideways, once the page has settled in its width. */
export const expectNoSidewaysScroll = (page: Page) =>
  untilTrue(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Refuses what matches until something on the page has been clicked: the page also reads again by itself. */
export async function refuseUntilClicked(page: Page, pattern: string, error: string, status = 400): Promise<void> {
  await page.evaluate("addEventListener('click', () => { globalThis.isClicked = true; }, { capture: true })");
  await page.route(pattern, async (route) => {
    if (await page.evaluate<boolean>("globalThis.isClicked === true")) await route.fallback();
    else await route.fulfill({ status, json: { error } });
  });
}
