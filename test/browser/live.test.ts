import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { setStorageRoute, setTitleRoute } from "../../src/contract/reports/settings.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { createTestDatabase } from "../support/engines.ts";
import { startService, uniqueName, useOwnService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { settled, until } from "../support/until.ts";
import { type Color, groundOf, sampleFrames } from "./frame-samples.ts";

const GREEN: Color = [0, 128, 0];
const BLUE: Color = [0, 0, 255];

/** A page in one color that loads as slowly as a report with a large script. */
const reportIn = ([red, green, blue]: Color, text: string) => [
  {
    path: "index.html",
    content: `<!doctype html><title>${text}</title>
      <script>const end = Date.now() + 200; while (Date.now() < end);</script>
      <body style="margin:0;background:rgb(${red} ${green} ${blue})"><h1>${text}</h1>
      <div style="height:200vh"></div><p id="end">The end of ${text}</p>`,
  },
];

describeIf("live links in a browser", chromiumUnavailable(), () => {
  const service = useOwnService();
  const browser = useBrowser();
  const act = actionsOf(service);
  let token: string;
  const contexts: BrowserContext[] = [];

  beforeAll(async () => {
    token = (await service.build.user({ slug: "ada" })).token;
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  const publish = (name: string, text: string, color = GREEN) =>
    act.publish(token, { name, visibility: "public", files: reportIn(color, text) });

  /** Publishes a named report with a text, and opens its live link as a new reader. */
  async function openLive(text: string, fragment = "") {
    const name = uniqueName();
    const { nameUrl = "" } = await publish(name, text);
    return { name, link: nameUrl, page: await openAt(nameUrl + fragment) };
  }

  async function openAt(link: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 900, height: 600 }, ...options });
    contexts.push(context);
    const page = await context.newPage();
    await page.goto(link);
    return page;
  }

  /** Waits until a report is visible. */
  async function shows(page: Page, text: string): Promise<void> {
    const shown = page.locator("iframe:not(.waiting)").last().contentFrame();
    await shown.getByRole("heading", { name: text }).waitFor();
    await until(async () => (await page.locator("iframe").count()) === 1 || undefined);
  }

  const news = (page: Page) => page.locator("[data-part=news]");

  const openMenu = (page: Page) => page.getByRole("button", { name: /^Version \d+$/ }).click();

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

  test("a reader steps and slides through the versions, and pauses and resumes with one click", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await publish(name, "Third");
    await shows(page, "Third");
    const [older, newer] = ["Previous version", "Next version"].map((label) =>
      page.getByRole("button", { name: label }),
    );
    await older?.click();
    await shows(page, "Second");
    await page.getByRole("button", { name: "Paused" }).waitFor();
    await page.locator("body").press("ArrowLeft");
    await shows(page, "First");
    expect(await older?.isDisabled()).toBe(true);
    await newer?.click();
    await shows(page, "Second");
    await page.getByRole("button", { name: "Paused" }).click();
    await shows(page, "Third");
    expect(await newer?.isDisabled()).toBe(true);
    await page.setViewportSize({ width: 1400, height: 600 });
    const slider = page.getByRole("slider", { name: "Version" });
    await slider.press("Home");
    await shows(page, "First");
    expect(await slider.getAttribute("aria-valuetext")).toBe("Version 1");
    await page.getByRole("button", { name: "Paused" }).click();
    await shows(page, "Third");
    await page.getByRole("button", { name: "Live" }).click();
    await publish(name, "Fourth");
    await news(page).filter({ hasText: "Version 4 is now current." }).waitFor();
    await shows(page, "Third");
  });

  test("a reader presents the report on the full screen by keyboard, and changes versions there", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await shows(page, "Second");
    await page.locator("body").press("f");
    await settled(() => page.evaluate("document.fullscreenElement?.id"), "stage");
    expect(await page.locator("header").isVisible()).toBe(true);
    const stage = await page.locator("#stage").boundingBox();
    expect([stage?.x, stage?.y]).toEqual([0, 0]);
    // The version's name is shown for a moment only.
    const named = page.locator(".reader-bar-hint", { hasText: "Version 1" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await Promise.all([named, shows(page, "First")]);
    await page.keyboard.press("f");
    await settled(() => page.evaluate("document.fullscreenElement"), null);
  });

  test.each([false, true])("a report that gets storage or a title is shown with it, paused: %p", async (isPaused) => {
    const name = uniqueName();
    const content = `<!doctype html><title>Document</title><h1>Blank</h1>
      <script>localStorage.a = "Stored"; document.querySelector("h1").textContent = localStorage.a</script>`;
    const files = [{ path: "index.html", content }];
    const { nameUrl = "" } = await act.publish(token, { name, visibility: "public", files });
    const page = await openAt(nameUrl);
    await shows(page, "Blank");
    if (isPaused) {
      await page.getByRole("button", { name: "Live" }).click();
      await page.getByRole("button", { name: "Paused" }).waitFor();
    }
    const client = service.client(token);
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
    const setTitle = (title: string) => service.client(token).call(setTitleRoute, { body: { name, title } });
    await setTitle("Overtaken");
    await answered.promise;
    await setTitle("Display");
    await publish(name, "Third");
    await news(page).filter({ hasText: "Version 3 is now current." }).waitFor();
    held.resolve();
    await settled(() => page.title(), "Display · report by ada");
  });

  test("a reader who stays on a version that is withdrawn gets the current one", async () => {
    const { name, page } = await openLive("First");
    const { code } = await act.group(token, name).then(({ versions: [version] }) => version ?? { code: "" });
    await publish(name, "Second");
    await shows(page, "Second");
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Version 1" }).click();
    await shows(page, "First");
    await act.setVisibility(token, { code, visibility: "private" });
    await shows(page, "Second");
  });

  describe.each(["light", "dark"] as const)("with the reader's color scheme %s", (colorScheme) => {
    test.each([
      ["names no scheme", ""],
      ["is light", ":root { color-scheme: light }"],
      ["is dark", ":root { color-scheme: dark }"],
      ["follows the reader", ":root { color-scheme: light dark }"],
      [
        "asks for the reader's scheme",
        "@media (prefers-color-scheme: dark) { body { background: #123; color: #fff } }",
      ],
    ])("a report that %s has the same background as in a tab", async (_, style) => {
      const files = [
        { path: "index.html", content: `<!doctype html><title>T</title><style>${style}</style><h1>T</h1>` },
      ];
      const { nameUrl = "", url } = await act.publish(token, { name: uniqueName(), visibility: "public", files });
      const tab = await openAt(url, { colorScheme });
      const page = await openAt(nameUrl, { colorScheme });
      await shows(page, "T");
      expect(await groundOf(page)).toEqual(await groundOf(tab));
    });
  });

  test("the menu works by keyboard alone", async () => {
    const { name, page } = await openLive("First");
    await publish(name, "Second");
    await shows(page, "Second");
    const button = page.getByRole("button", { name: "Version 2", exact: true });
    const focused = () => page.locator(":focus");
    await button.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitemradio", { name: "Version 1" }).waitFor();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    expect(await focused().textContent()).toContain("Always show the current version");
    expect(await focused().getAttribute("aria-checked")).toBe("true");
    await page.keyboard.press("Escape");
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    expect(await focused().getAttribute("data-part")).toBe("version");
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menuitemradio", { name: "Version 1" }).waitFor();
    await page.keyboard.press("End");
    expect(await focused().textContent()).toStartWith("Version 1");
    await page.keyboard.press("ArrowDown");
    expect(await focused().textContent()).toContain("Always show the current version");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await shows(page, "First");
    expect(await focused().getAttribute("data-part")).toBe("version");
    expect(await page.getByRole("menu").isVisible()).toBe(false);
    expect(await page.getByRole("link", { name: "Open version link" }).getAttribute("href")).toMatch(
      /^\/[0-9A-Za-z]{16}\/$/,
    );
  });

  test("the fragment scrolls the report, and its next version too", async () => {
    const { name, page } = await openLive("First", "#end");
    const isAtEnd = (text: string) =>
      until(async () => {
        const paragraph = page.frameLocator("iframe:not(.waiting)").getByText(`The end of ${text}`);
        const box = await paragraph.boundingBox();
        return (box !== null && box.y < 600) || undefined;
      });
    await shows(page, "First");
    await isAtEnd("First");
    await publish(name, "Second");
    await shows(page, "Second");
    await isAtEnd("Second");

    const other = await openAt(page.url().replace("#end", ""));
    await shows(other, "Second");
    await other.evaluate('location.hash = "#end"');
    await until(async () => other.frames().some((frame) => frame.url().endsWith("/#end")) || undefined);
  });

  test("a withdrawn report disappears, and the page says so", async () => {
    const { name, page } = await openLive("First");
    await shows(page, "First");
    await act.setVisibility(token, { name, visibility: "private" });
    const heading = page.getByRole("heading", { name: "This report isn't public" });
    await heading.waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    const reason = page.getByText("It may be private, renamed or deleted. Ask the person who sent you the link.");
    expect(await reason.isVisible()).toBe(true);
    // A reload says the same, as for a report that never existed, and offers to sign in.
    await page.reload();
    await heading.waitFor();
    expect(await reason.isVisible()).toBe(true);
    expect(await page.getByRole("button", { name: "Sign in" }).isVisible()).toBe(true);
    const seen = await page.locator("main").innerText();
    await page.goto(`${service.contentUrl}/@ada/${uniqueName()}/`);
    await heading.waitFor();
    expect(await page.locator("main").innerText()).toBe(seen);
  });

  test("the address follows a rename", async () => {
    const { name, page } = await openLive("First");
    await shows(page, "First");
    const newName = uniqueName();
    await act.rename(token, name, newName);
    await page.waitForURL(`**/@ada/${newName}/`);
    await publish(newName, "Second");
    await shows(page, "Second");
    await page.reload();
    await shows(page, "Second");
  });

  test("fits a phone, also while a reader stays on a version", async () => {
    const { name, link } = await openLive("First");
    const page = await openAt(link, { viewport: { width: 390, height: 800 }, locale: "en-US" });
    await shows(page, "First");
    await page.getByRole("button", { name: "Report by @ada" }).click();
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Pause updates" }).click();
    await publish(name, "Second");
    await news(page).waitFor();
    const widths = `["html", ".reader-bar-body"].map((it) => document.querySelector(it)).map((e) => e.scrollWidth - e.clientWidth)`;
    expect(await page.evaluate(widths)).toEqual([0, 0]);
    await page.getByRole("button", { name: "Show version 2" }).click();
    await shows(page, "Second");
  });

  test("copies its address", async () => {
    const { link, page } = await openLive("First");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(link);
  });

  test("a report can't send messages in the service's name", async () => {
    const name = uniqueName();
    const messages = ['{type:"gone"}', '\'{"type":"gone"}\'', '{type:"version",src:"about:blank",code:"x"}'];
    const content = `<title>Hostile</title><h1>Hostile</h1><script>
      for (const message of [${messages}]) parent.postMessage(message, "*");
      try { new WebSocket(${JSON.stringify(`${service.contentUrl.replace("http", "ws")}/@ada/${name}/~socket`)})
        .onopen = () => document.querySelector("h1").textContent = "Connected" } catch {}
      try { parent.document.title = "Owned" } catch {}
    </script>`;
    const files = [{ path: "index.html", content }];
    const { nameUrl = "" } = await act.publish(token, { name, visibility: "public", files });
    const page = await openAt(nameUrl);
    await shows(page, "Hostile");
    expect(await page.title()).toBe("Hostile · report by ada");
    expect(await page.getByRole("button", { name: "Version 1" }).count()).toBe(1);
    // The next version still appears, which it wouldn't after any of these messages.
    await publish(name, "Peaceful");
    await shows(page, "Peaceful");
    expect(await page.title()).toBe("Peaceful · report by ada");
  });

  test("without a socket the page polls, and still shows new versions", async () => {
    const name = uniqueName();
    const { nameUrl = "" } = await publish(name, "First");
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    await page.routeWebSocket("**", (socket) => socket.close());
    await page.goto(nameUrl);
    await shows(page, "First");
    await publish(name, "Second");
    await shows(page, "Second");
    expect(await page.locator("[data-part=lost]").isVisible()).toBe(false);
  });

  test("reports a lost server, and shows what it missed once the server is back", async () => {
    const database = await createTestDatabase("sqlite");
    const first = await startService({ database });
    const owner = await first.build.user({ slug: "bob" });
    const name = uniqueName();
    const details = { name, visibility: "public" as const };
    const { nameUrl = "" } = await actionsOf(first).publish(owner.token, {
      ...details,
      files: reportIn(GREEN, "First"),
    });
    const page = await openAt(nameUrl);
    await shows(page, "First");
    await first.stop();
    await page.locator("[data-part=lost]", { hasText: "Connection lost" }).waitFor();
    await shows(page, "First");
    const environment = { VITRINE_CONTENT_PORT: new URL(first.contentUrl).port };
    await using second = await startService({ database, environment });
    await actionsOf(second).publish(owner.token, { ...details, files: reportIn(BLUE, "Second") });
    await shows(page, "Second");
    await until(async () => !(await page.locator("[data-part=lost]").isVisible()) || undefined);
    await database.remove();
  });

  test("logs no refused or missing requests in the browser's console", async () => {
    const name = uniqueName();
    const { nameUrl = "" } = await publish(name, "First");
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(nameUrl);
    await shows(page, "First");
    await publish(name, "Second");
    await shows(page, "Second");
    await openMenu(page);
    await page.getByRole("menuitemradio", { name: "Version 1" }).click();
    await shows(page, "First");
    expect(complaints).toEqual([]);
  });
});
