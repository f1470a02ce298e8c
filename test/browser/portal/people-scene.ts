import { afterEach, beforeAll, expect } from "bun:test";
import type { Page } from "playwright-core";
import { useBrowser } from "../../support/chromium.ts";
import { PASSWORD, type Service, useService } from "../../support/service.ts";
import { findBarriers, openPortal, type PortalVisitor, type VisitorOptions } from "./portal.ts";

const PHONE = { width: 390, height: 844 };
/** Minimum touch target in CSS pixels. */
const FINGER = 40;

interface Visit extends VisitorOptions {
  email: string;
  path: string;
}

/** Creates a service and browsers for its users; fails if any page logged a problem. */
export function createPeopleScene(service: Service = useService()) {
  const browser = useBrowser();
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

  /** Opens a signed-in browser. */
  async function visit({ email, path, ...options }: Visit): Promise<Page> {
    const visitor = await openPortal(browser, service, email, { path, ...options });
    visitors.push(visitor);
    return visitor.page;
  }

  /** Opens a browser that is signed out. */
  async function visitUnknown(url: string): Promise<Page> {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    const troubles: string[] = [];
    context.on("weberror", (error) => troubles.push(error.error().message));
    visitors.push({ context, page: await context.newPage(), troubles, [Symbol.asyncDispose]: () => context.close() });
    const page = context.pages()[0];
    if (page === undefined) throw new Error("The browser has no page.");
    await page.goto(url);
    return page;
  }

  return {
    visit,
    visitUnknown,
    get service() {
      return service;
    },
  };
}

export async function fillSignIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

export const expectNoBarriers = async (page: Page) => expect(await findBarriers(page)).toEqual([]);

/** Waits for a notification: a status about success, an alert about anything else. */
export const said = (page: Page, message: string | RegExp) =>
  page.getByRole("status").or(page.getByRole("alert")).filter({ hasText: message }).last().waitFor();

/** Checks a page on a phone: no horizontal scrolling, and large enough touch targets. */
export async function expectFitForPhones(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize(PHONE);
  const main = page.getByRole("dialog").or(page.getByRole("main")).last();
  await main.waitFor();
  await expectNoBarriers(page);
  expect(
    await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
  ).toBeLessThanOrEqual(0);
  for (const button of await main.getByRole("button").all()) {
    const box = await button.boundingBox();
    if (box !== null) expect([await button.textContent(), box.height >= FINGER]).toEqual([expect.anything(), true]);
  }
  if (before !== null) await page.setViewportSize(before);
}

/** Returns the text or label of the focused element. */
export const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement?.labels?.[0]?.textContent || document.activeElement?.getAttribute('aria-label') || document.activeElement?.textContent || ''",
  );
