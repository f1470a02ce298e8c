import { afterEach, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { actionsOf } from "../../hosts/app/actions.ts";
import { useBrowser } from "../../support/chromium.ts";
import { type Service, useService } from "../../support/service.ts";
import { until } from "../../support/until.ts";
import { findBarriers, openPortal, type PortalVisitor, type VisitorOptions } from "./portal.ts";

interface Visit extends VisitorOptions {
  email: string;
  path: string;
}

/** Creates a service and a browser for its users; fails if any page logged a problem. */
export function createReportScene(service: Service = useService()) {
  const browser = useBrowser();
  const act = actionsOf(service);
  const visitors: PortalVisitor[] = [];

  beforeAll(async () => {
    // The first request waits for the portal's bundle.
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

/** Returns an `index.html` with a heading. */
export const pageWith = (heading: string, more = "") => ({
  path: "index.html",
  content: `<!doctype html><title>${heading}</title>\n<h1>${heading}</h1>\n${more}`,
});

/** Locates a heading in the framed report. */
export const framed = (page: Page, heading: string) =>
  page.locator("iframe").last().contentFrame().getByRole("heading", { name: heading });

export const expectNoBarriers = async (page: Page) => expect(await findBarriers(page)).toEqual([]);

/** Returns the focused element's text; empty if the focus was lost. */
export const focusedText = (page: Page) => page.evaluate<string>("document.activeElement?.textContent ?? ''");

/** Chooses an item of a button's menu. */
export async function choose(page: Page, button: string, entry: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Takes a change back in the latest notice with a text. */
export const undo = (page: Page, notice: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: notice }).last().getByRole("button", { name: "Undo" }).click();

/** Waits until an expression is true in the page. */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  await until(() => page.evaluate<boolean>(expression));
}

/** Waits until the page needs no horizontal scrolling. */
export const expectNoSidewaysScroll = (page: Page) =>
  untilTrue(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Refuses matching requests until the page is clicked, because the page also refetches on its own. */
export async function refuseUntilClicked(page: Page, pattern: string, error: string, status = 400): Promise<void> {
  await page.evaluate("addEventListener('click', () => { globalThis.isClicked = true; }, { capture: true })");
  await page.route(pattern, async (route) => {
    if (await page.evaluate<boolean>("globalThis.isClicked === true")) await route.fallback();
    else await route.fulfill({ status, json: { error } });
  });
}
