import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { setStorageRoute, setTitleRoute } from "../../src/contract/reports/settings.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { settled } from "../support/until.ts";
import { sampleFrames } from "./frame-samples.ts";
import { BLUE, createLiveScene, GREEN, news, openMenu, shows } from "./live-scene.ts";

/** Waits for the next frame but one, by which a page has handled an answer that it has. */
const afterNextFrame = (page: Page) =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");

describeIf("live links in a browser", chromiumUnavailable(), () => {
  const { service, act, ada, publish, openLive, openAt } = createLiveScene();

  test("two readers see a new version appear without a reload and without anything in between", async () => {
    const { name, link, page } = await openLive("Green");
    const pages = [page, await openAt(link)];
    for (const each of pages) {
      await shows(each, "Green");
      await each.evaluate("globalThis.isSamePage = true");
    }
    const samples = await Promise.all(
      pages.map((each, place) =>
        sampleFrames(each, async () => {
          if (place === 0) await publish(name, "Blue", BLUE);
          await shows(each, "Blue");
        }),
      ),
    );
    for (const colors of samples) {
      expect(new Set(colors.map(String))).toEqual(new Set([String(GREEN), String(BLUE)]));
      expect(colors.map(String).toSorted()).toEqual(colors.map(String).toSorted());
      expect(colors.at(-1)).toEqual(BLUE);
    }
    for (const each of pages) {
      expect(await each.evaluate("globalThis.isSamePage")).toBe(true);
      expect(await each.title()).toBe("Blue · report by ada");
      expect(await each.getByRole("button", { name: "Version 2", exact: true }).count()).toBe(1);
      expect(await each.getByRole("status").textContent()).toMatch(/^(Now showing version 2\.|Version 2: .*)$/);
    }
  });

  test("a reader who stays on a version is notified of new ones and can switch to them", async () => {
    const { name, page } = await openLive("First");
    await shows(page, "First");
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Pause updates" }).click();
    await page.getByRole("button", { name: "Paused", pressed: false }).waitFor();
    await publish(name, "Second");
    await news(page).filter({ hasText: "Version 2 is now current." }).waitFor();
    await shows(page, "First");
    expect(await page.title()).toBe("First · report by ada");
    await page.getByRole("button", { name: "Show version 2" }).click();
    await shows(page, "Second");
    expect(await news(page).isVisible()).toBe(false);
    await page.getByRole("button", { name: "Live", pressed: true }).waitFor();
    await publish(name, "Third");
    await shows(page, "Third");
  });

  test.each([false, true])("a report that gets storage or a title is shown with it, paused: %p", async (isPaused) => {
    const name = uniqueName();
    const content = `<!doctype html><title>Document</title><h1>Blank</h1>
      <script>localStorage.a = "Stored"; document.querySelector("h1").textContent = localStorage.a</script>`;
    const files = [{ path: "index.html", content }];
    const { nameUrl = "" } = await act.publish(ada.token, { name, visibility: "public", files });
    const page = await openAt(nameUrl);
    await shows(page, "Blank");
    if (isPaused) {
      await page.getByRole("button", { name: "Live" }).click();
      await page.getByRole("button", { name: "Paused" }).waitFor();
    }
    const client = service.client(ada.token);
    await client.call(setStorageRoute, { body: { name, storage: "memory" } });
    await shows(page, "Stored");
    await client.call(setStorageRoute, { body: { name, storage: "none" } });
    await shows(page, "Blank");
    await client.call(setTitleRoute, { body: { name, title: "Display" } });
    await settled(() => page.title(), "Display · report by ada");
    expect(await page.getByRole("heading", { name: "Display" }).count()).toBe(1);
  });

  test("a paused reader gets a change that overtakes an older list of versions", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await shows(page, "Second");
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByRole("button", { name: "Paused" }).waitFor();
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route("**/~versions", async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await held.promise;
      await route.fulfill({ response });
    });
    const setTitle = (title: string) => service.client(ada.token).call(setTitleRoute, { body: { name, title } });
    await setTitle("Overtaken");
    await answered.promise;
    await setTitle("Display");
    await publish(name, "Third");
    await news(page).filter({ hasText: "Version 3 is now current." }).waitFor();
    held.resolve();
    await settled(() => page.title(), "Display · report by ada");
  });

  test("a press on a version isn't lost when the versions are loaded again meanwhile", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await shows(page, "Second");
    await openMenu(page);
    await page.keyboard.press("Escape");
    const held = Promise.withResolvers<void>();
    await page.route("**/~versions", async (route) => {
      await held.promise;
      await route.continue();
    });
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Version 1" }).hover();
    await page.mouse.down();
    const loaded = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/~versions"));
    held.resolve();
    await loaded;
    await afterNextFrame(page);
    await page.mouse.up();
    await shows(page, "First");
  });

  test("a press on a version isn't lost when the report changes in a way that its menu doesn't show", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await shows(page, "Second");
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Version 1" }).hover();
    await page.mouse.down();
    const loading = page.waitForRequest("**/~versions");
    await service.client(ada.token).call(setStorageRoute, { body: { name, storage: "memory" } });
    await (await loading).response();
    await afterNextFrame(page);
    await page.mouse.up();
    await shows(page, "First");
  });

  test("an open menu keeps its versions until the list with a new one has arrived", async () => {
    const { name, page } = await openLive("First");
    await shows(page, "First");
    await openMenu(page);
    const first = page.getByRole("menuitemradio", { name: "Version 1" });
    await first.waitFor();
    const held = Promise.withResolvers<void>();
    await page.route("**/~versions", async (route) => {
      await held.promise;
      await route.continue();
    });
    await publish(name, "Second");
    await shows(page, "Second");
    expect(await first.count()).toBe(1);
    held.resolve();
    await page.getByRole("menuitemradio", { name: "Version 2" }).waitFor();
    expect(await first.count()).toBe(1);
  });

  test("a reader who stays on a version that is withdrawn gets the current one", async () => {
    const { name, page } = await openLive("First");
    const { code } = await act.group(ada.token, name).then(({ versions: [version] }) => version ?? { code: "" });
    await publish(name, "Second");
    await shows(page, "Second");
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Version 1" }).click();
    await shows(page, "First");
    await act.setVisibility(ada.token, { code, visibility: "private" });
    await shows(page, "Second");
  });
});
