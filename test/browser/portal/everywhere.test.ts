import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { expectTitles, fillWorkspace } from "./list-scene.ts";
import { openPortal } from "./portal.ts";
import { makeFolder } from "./publishing.ts";
import { createReportScene, expectNoBarriers } from "./report-scene.ts";

const TWO = [{ title: "Apples" }, { title: "Bananas" }] as const;

describeIf("the portal while its parts load", chromiumUnavailable(), () => {
  const scene = createReportScene();

  async function fill() {
    const user = await scene.service.build.user();
    await fillWorkspace(scene.service, user, TWO);
    return { email: user.email, path: `/w/${user.slug}` };
  }

  /** Opens a page, held up before its list is known. Returns what lets it go on. */
  async function openHeld({ email, path }: { email: string; path: string }) {
    const page = await scene.visit({ email, path: "/account" });
    await page.getByRole("heading", { name: "Account" }).first().waitFor();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/api/taxonomy?*", async (route) => {
      await promise;
      await route.fallback();
    });
    await page.goto(`${scene.service.baseUrl}/-${path}`);
    await expectTitles(page, ["Bananas", "Apples"]);
    return { page, letGo: resolve };
  }

  /** Holds up the script that contains a text. Returns the moment it is asked for, and what lets it go on. */
  async function holdScript(page: Page, text: string) {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route("**/-/assets/*.js", async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes(text)) {
        asked.resolve();
        await held.promise;
      }
      await route.fulfill({ response });
    });
    return { asked: asked.promise, letGo: held.resolve };
  }

  /** Refuses scripts that contain a text. */
  const refuseScripts = (page: Page, text: string) =>
    page.route("**/-/assets/*.js", async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes(text)) await route.abort();
      else await route.fallback();
    });

  test("a file dropped before the page follows drags is not opened by the browser, but published later", async () => {
    const { page, letGo } = await openHeld(await fill());
    await using folder = await makeFolder({ "weekly.html": "<title>Early</title><h1>Early</h1>" });
    const debugging = await page.context().newCDPSession(page);
    const data = { items: [], files: [`${folder.path}/weekly.html`], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"] as const) {
      await debugging.send("Input.dispatchDragEvent", { type, x: 700, y: 600, data });
    }
    expect(page.url()).toStartWith(scene.service.baseUrl);
    await expectTitles(page, ["Bananas", "Apples"]);
    letGo();
    await page.waitForURL(/\/publish$/);
    await page.getByRole("button", { name: "Remove weekly.html" }).waitFor();
  });

  test("HTML pasted before the page takes it is published later", async () => {
    const { page, letGo } = await openHeld(await fill());
    await page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", "<!doctype html><title>Early</title><h1>Early</h1>");
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }`);
    await expectTitles(page, ["Bananas", "Apples"]);
    letGo();
    await page.waitForURL(/\/publish$/);
    await page.getByRole("textbox", { name: "Title" }).and(page.locator("[value=Early]")).waitFor();
  });

  test("a report is shown as deleted only once the request is on its way", async () => {
    const page = await scene.visit(await fill());
    await expectTitles(page, ["Bananas", "Apples"]);
    const notices = await holdScript(page, " restored");
    await page.getByRole("row", { name: /Bananas/ }).focus();
    await page.keyboard.press("Delete");
    await notices.asked;
    await expectTitles(page, ["Bananas", "Apples"]);
    const request = page.waitForRequest((each) => each.url().endsWith("/api/items/delete"));
    notices.letGo();
    await request;
    await expectTitles(page, ["Apples"]);
  });

  test("a server on a machine without a network is asked, and changes are sent at once", async () => {
    const page = await scene.visit(await fill());
    await expectTitles(page, ["Bananas", "Apples"]);
    await page.evaluate(`dispatchEvent(new Event("offline"))`);
    const star = page.getByRole("button", { name: "Star Bananas" });
    await star.focus();
    await star.press("Enter");
    await page.getByText("Added to starred").waitFor();
    await page.getByRole("link", { name: "Bananas" }).click();
    await page.getByRole("heading", { name: "Bananas" }).waitFor();
  });

  test("letters typed before the palette is there go to its field", async () => {
    const { email, path } = await fill();
    const page = await scene.visit({ email, path: "/account" });
    await page.getByRole("heading", { name: "Account" }).first().waitFor();
    // Held from the start: the page loads the palette on its own in its first idle moment.
    const palette = await holdScript(page, "Commands and reports");
    await page.goto(`${scene.service.baseUrl}/-${path}`);
    await expectTitles(page, ["Bananas", "Apples"]);
    await page.keyboard.press("Control+k");
    await palette.asked;
    await page.keyboard.type("cx");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("arrots");
    expect(new URL(page.url()).pathname).toBe(`/-${path}`);
    expect(await page.getByRole("dialog").count()).toBe(0);
    palette.letGo();
    const field = page.getByRole("combobox", { name: "Search or run a command" });
    await settled(() => field.inputValue(), "carrots");
    await page.keyboard.type("!");
    await settled(() => field.inputValue(), "carrots!");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("c");
    await page.waitForURL(/\/publish$/);
  });

  test("Ctrl K belongs to the palette before the portal's scripts are there", async () => {
    const { email, path } = await fill();
    const page = await scene.visit({ email, path });
    await expectTitles(page, ["Bananas", "Apples"]);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/-/assets/*.js", async (route) => {
      await promise;
      await route.fallback();
    });
    await page.goto(`${scene.service.baseUrl}/-${path}`, { waitUntil: "commit" });
    await page.getByRole("status", { name: "Loading" }).waitFor();
    await page.evaluate(`addEventListener("keydown", (event) => (globalThis.isKept = event.defaultPrevented))`);
    await page.keyboard.press("j");
    expect(await page.evaluate("globalThis.isKept")).toBe(false);
    await page.keyboard.press("Control+k");
    expect(await page.evaluate("globalThis.isKept")).toBe(true);
    await page.keyboard.type("carx");
    await page.keyboard.press("Backspace");
    resolve();
    const field = page.getByRole("combobox", { name: "Search or run a command" });
    await settled(() => field.inputValue(), "car");
    await page.keyboard.type("rots");
    await settled(() => field.inputValue(), "carrots");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("a part that doesn't load never replaces the page", async () => {
    const { email, path } = await fill();
    // Not by the scene: the browser's log is full of what can't be loaded.
    await using visitor = await openPortal(scene.browser, scene.service, email, { path: "/account" });
    const { page } = visitor;
    await page.getByRole("heading", { name: "Account" }).first().waitFor();
    await refuseScripts(page, "Commands and reports");
    await page.goto(`${scene.service.baseUrl}/-${path}`);
    await expectTitles(page, ["Bananas", "Apples"]);
    await page.keyboard.press("Control+k");
    const notice = page.getByRole("dialog", { name: "Reload to continue" });
    await notice.waitFor();
    await expectNoBarriers(page);
    await notice.getByRole("button", { name: "Not now" }).press("Enter");
    await notice.waitFor({ state: "detached" });
    await expectTitles(page, ["Bananas", "Apples"]);
    await page.getByRole("link", { name: "Apples" }).click();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
    await page.goBack();
    await expectTitles(page, ["Bananas", "Apples"]);

    await page.unrouteAll();
    await page.keyboard.press("Control+k");
    const loaded = page.waitForEvent("load");
    await notice.getByRole("button", { name: "Reload page" }).click();
    await loaded;
    await expectTitles(page, ["Bananas", "Apples"]);
    await notice.waitFor({ state: "detached" });

    // What nobody asked for is missing without a word.
    await refuseScripts(page, "Drop to publish");
    const refused = page.waitForEvent("requestfailed");
    await page.reload();
    await refused;
    await expectTitles(page, ["Bananas", "Apples"]);
    expect(await notice.count()).toBe(0);
  });

  test("the list and a report opened from it load few files, and the list a small script", async () => {
    const page = await scene.visit(await fill());
    await expectTitles(page, ["Bananas", "Apples"]);
    const [first] = await scriptsOf(page);
    expect(first?.bytes).toBeGreaterThan(100_000);
    expect(first?.bytes).toBeLessThan(200_000);
    await page.getByRole("link", { name: "Apples" }).click();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
    const scripts = await scriptsOf(page);
    expect(scripts.length).toBeGreaterThan(1);
    expect(scripts.length).toBeLessThan(25);
  });

  /** Returns the scripts that a page has loaded so far, in order, with their bytes as they were sent. */
  const scriptsOf = async (page: Page): Promise<{ bytes: number }[]> =>
    page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .map(({ encodedBodySize }) => ({ bytes: encodedBodySize }))`);
});
