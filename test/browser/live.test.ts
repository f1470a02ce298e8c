import { describe, expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable } from "../support/chromium.ts";
import { createTestDatabase } from "../support/engines.ts";
import { startService, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { groundOf } from "./frame-samples.ts";
import { BLUE, createLiveScene, GREEN, news, openMenu, reportIn, shows } from "./live-scene.ts";

describeIf("live links in a browser", chromiumUnavailable(), () => {
  const { service, act, ada, publish, openLive, newPage, openAt } = createLiveScene();

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
      const { nameUrl = "", url } = await act.publish(ada.token, { name: uniqueName(), visibility: "public", files });
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
    await act.setVisibility(ada.token, { name, visibility: "private" });
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
    await act.rename(ada.token, name, newName);
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
    const { nameUrl = "" } = await act.publish(ada.token, { name, visibility: "public", files });
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
    const page = await newPage();
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
    const page = await newPage();
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
