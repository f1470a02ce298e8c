import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { openFilledScene } from "../../../scripts/screenshots/scene/open.ts";
import { type Scene, signIn } from "../../../scripts/screenshots/server.ts";
import { SHOTS } from "../../../scripts/screenshots/shots/all.ts";
import { openShot } from "../../../scripts/screenshots/shots/shot.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { use } from "../../support/use.ts";
import { expectNoBarriers } from "./report-scene.ts";

/** The third is a window of 1440 pixels at a zoom of 200 %, which pages lay out as they do on phones. */
const WINDOWS = [
  { name: "a wide window", width: 1440, height: 900, like: 1440 },
  { name: "a tablet", width: 1024, height: 768, like: 1024 },
  { name: "200 % zoom", width: 720, height: 450, like: 390 },
  { name: "a phone", width: 390, height: 844, like: 390 },
] as const;
/** What a page may move that the reader doesn't touch, as browsers measure it. */
const MOST_SHIFT = 0.02;

/** Adds up how far the page moved what it showed, except right after the reader did something. */
const shiftOf = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const observer = new PerformanceObserver(() => undefined);
    observer.observe({ type: "layout-shift", buffered: true });
    setTimeout(() => {
      const entries = observer.takeRecords().filter(({ hadRecentInput }) => !hadRecentInput);
      resolve(entries.reduce((sum, { value }) => sum + value, 0));
    });
  })`);

/** Returns the visible controls that reach beyond the window's sides, where no part scrolls sideways. */
const controlsOutside = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const scrolls = (element) => element !== null &&
      (["auto", "scroll"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
    return [...document.querySelectorAll("button, a, input, select, textarea, [role=menuitem], [role=option]")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest("[inert]"))
      .filter((element) => {
        const { left, right, width, height } = element.getBoundingClientRect();
        return width > 1 && height > 1 && (left < -1 || right > innerWidth + 1) && !scrolls(element.parentElement);
      })
      .map((element) => element.outerHTML.slice(0, 200));
  })()`);

/** Returns the open menus and popovers that reach beyond the window's lower edge, or above it. */
const menusOutside = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll("[role=menu], .mantine-Popover-dropdown")]
    .filter((element) => element.checkVisibility({ visibilityProperty: true }))
    .map((element) => ({ element, ...element.getBoundingClientRect().toJSON() }))
    .filter(({ top, bottom }) => top < 0 || bottom > innerHeight)
    .map(({ element, top, bottom }) => top + " to " + bottom + ": " + element.textContent)`);

/** Returns the visible texts of one line whose upper or lower edge is hidden, so that letters lose their tails. */
const textsCut = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const cut = [];
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      if (texts.currentNode.data.trim() === "" || !element.checkVisibility({ visibilityProperty: true })) continue;
      const { overflowY, webkitLineClamp } = getComputedStyle(element);
      const { top, bottom, width, height } = element.getBoundingClientRect();
      const isClipped = ["hidden", "clip"].includes(overflowY) && webkitLineClamp === "none" && width > 1 && height > 1;
      if (!isClipped) continue;
      range.selectNodeContents(texts.currentNode);
      const line = range.getBoundingClientRect();
      if (line.top < top - 0.6 || line.bottom > bottom + 0.6) cut.push(element.outerHTML.slice(0, 200));
    }
    return cut;
  })()`);

describeIf("every page and state", chromiumUnavailable(), () => {
  const browser = useBrowser();
  const scene: Scene = use(openFilledScene);

  describe.each(WINDOWS)("in $name", ({ width, height, like }) => {
    const contexts: BrowserContext[] = [];
    let signedIn: BrowserContext;
    let signedOut: BrowserContext;
    let unscripted: BrowserContext;

    beforeAll(async () => {
      const open = async (others: { bypassCSP?: boolean } = {}) => {
        const options = { viewport: { width, height }, reducedMotion: "reduce", hasTouch: width < 600 } as const;
        const context = await browser.newContext({ ...options, ...others });
        contexts.push(context);
        return context;
      };
      signedIn = await open();
      await signIn(await signedIn.newPage(), scene.url);
      // Pages whose policy allows no scripts run no timers of a test either.
      signedOut = await open({ bypassCSP: true });
      unscripted = await open({ bypassCSP: true });
      await signIn(await unscripted.newPage(), scene.url);
    });
    afterAll(async () => {
      await Promise.all(contexts.map((context) => context.close()));
    });

    const shots = SHOTS.filter(({ widths }) => widths === undefined || widths.includes(like));
    test.each(shots.map((shot) => [shot.name, shot] as const))(
      "has no barriers, and nothing moves or is cut off: %s",
      async (_, shot) => {
        const context = shot.isPublic === true ? signedOut : shot.isUnscripted === true ? unscripted : signedIn;
        const page = await context.newPage();
        try {
          await openShot(page, scene, shot);
          expect(await shiftOf(page)).toBeLessThanOrEqual(MOST_SHIFT);
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
          expect(await controlsOutside(page)).toEqual([]);
          expect(await menusOutside(page)).toEqual([]);
          expect(await textsCut(page)).toEqual([]);
          await expectNoBarriers(page);
          await page.emulateMedia({ colorScheme: "dark" });
          await expectNoBarriers(page);
        } catch (error) {
          console.error(`${shot.name} shows:\n${await page.locator("body").ariaSnapshot().catch(String)}`);
          throw error;
        } finally {
          await context.setOffline(false);
          await page.close();
        }
      },
    );
  });
});
