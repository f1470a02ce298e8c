import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled, until } from "../../support/until.ts";
import {
  choose,
  createReportScene,
  expectNoBarriers,
  expectNoSidewaysScroll,
  focusedText,
  framed,
  pageWith,
  undo,
  untilTrue,
} from "./report-scene.ts";

describeIf("a report's page", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  /** Opens a report with two versions as its publisher. */
  async function openReport(
    path = "",
    { isSpoiled = false, ...overrides }: { visibility?: "public" | "private"; isSpoiled?: boolean } = {},
  ) {
    const user = await scene.service.build.user();
    const name = uniqueName();
    const files = (heading: string) => ({ name, ...overrides, files: [pageWith(heading)] });
    const first = await scene.act.publish(user.token, files("First"));
    const second = await scene.act.publish(user.token, files("Second"));
    const page = await visit({
      email: user.email,
      path: `/r/${name}${path}`,
      permissions: ["clipboard-read", "clipboard-write"],
      isSpoiled,
    });
    return { user, name, files, first, second, page };
  }

  /** Does what copies, and returns the clipboard's text. */
  async function copied(page: Page, act: () => Promise<unknown>): Promise<string> {
    await page.evaluate("navigator.clipboard.writeText('')");
    await act();
    await untilTrue(page, "navigator.clipboard.readText().then((text) => text !== '')");
    return page.evaluate<string>("navigator.clipboard.readText()");
  }

  const copiedBy = (page: Page, button: string) =>
    copied(page, () => page.getByRole("button", { name: button }).first().click());
  const details = (page: Page) => page.getByRole("complementary", { name: "Details" });

  test("the owner sees a private report, and new versions appear in every browser", async () => {
    const { user, name, files, page } = await openReport();
    const other = await visit({ email: user.email, path: `/r/${name}` });
    await Promise.all([page, other].map((each) => framed(each, "Second").waitFor()));
    expect(await page.title()).toBe("Second · Vitrine");
    await details(page).getByText("Only you can view it.").waitFor();
    await expectNoBarriers(page);
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("sandbox")).not.toContain("allow-same-origin");
    expect(await frame.getAttribute("allow")).toBe("fullscreen *; clipboard-write *");

    await page.evaluate("globalThis.isSamePage = true");
    await scene.act.publish(user.token, files("Third"));
    await Promise.all([page, other].map((each) => framed(each, "Third").waitFor()));
    await page.getByRole("heading", { level: 1, name: "Third" }).waitFor();
    expect(await page.evaluate<boolean>("globalThis.isSamePage")).toBe(true);
    // A chosen older version stays, and the current one is offered.
    await page.getByRole("button", { name: "Version 3", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
    await framed(page, "First").waitFor();
    await page.getByText("Version 1. The live link shows version 3.").waitFor();
    await scene.act.publish(user.token, files("Fourth"));
    await framed(other, "Fourth").waitFor();
    await page.getByRole("heading", { level: 1, name: "Fourth" }).waitFor();
    await framed(page, "First").waitFor();
    await page.getByRole("button", { name: "Show current version" }).click();
    await framed(page, "Fourth").waitFor();
    await settled(() => focusedText(page), "Report");
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByPlaceholder("Search or run a command").waitFor();
    await page.keyboard.type("compare ver");
    await page.getByRole("option", { name: "Compare versions" }).click();
    await page.getByRole("button", { name: "From: Version 3" }).waitFor();
  });

  test("versions are switched, links copied, and the frame isn't reloaded without a change", async () => {
    const { user, name, first, second, page } = await openReport("", { visibility: "public" });
    await framed(page, "Second").waitFor();
    expect(await copiedBy(page, "Copy link")).toBe(`${scene.service.contentUrl}/@${user.slug}/${name}/`);
    await details(page).getByRole("link", { name: "Version 1" }).click();
    await framed(page, "First").waitFor();
    expect(await copiedBy(page, "Copy link")).toBe(first.url);
    const copyCommand = () => choose(page, "Developer", /^Fetch with curl/);
    expect(await copied(page, copyCommand)).toBe(`curl ${first.url}`);
    await page.getByRole("button", { name: "More actions" }).click();
    const open = page.getByRole("menuitem", { name: "Open version link in new tab" });
    expect(await open.getAttribute("href")).toBe(first.url);
    await page.keyboard.press("Escape");
    await open.waitFor({ state: "detached" });

    await page.keyboard.press("f");
    await untilTrue(page, "document.fullscreenElement !== null");
    await page.evaluate("document.exitFullscreen()");
    await page.getByRole("button", { name: "Show current version" }).click();
    await framed(page, "Second").waitFor();
    const openLive = () => choose(page, "More actions", "Open live link in new tab");
    const [opened] = await Promise.all([page.waitForEvent("popup"), openLive()]);
    await opened.frameLocator("iframe").getByRole("heading", { name: "Second" }).waitFor();
    await opened.close();

    const src = await page.locator("iframe").getAttribute("src");
    await scene.act.setVisibility(user.token, { name, visibility: "private" });
    await details(page).getByText("Only you can view it.").waitFor();
    await page.locator(`iframe:not([src="${src}"])`).waitFor();
    await framed(page, "Second").waitFor();
    expect(await copied(page, copyCommand)).toBe(
      `curl -H "Authorization: Bearer $VITRINE_TOKEN" ${scene.service.contentUrl}/${second.code}/`,
    );
    const ticket = await page.locator("iframe").getAttribute("src");
    await scene.act.setFolder(user.token, { name, folder: "Sales/2026" });
    await page.getByRole("navigation", { name: "Location" }).getByRole("link", { name: "Sales / 2026" }).waitFor();
    expect(await page.locator("iframe").getAttribute("src")).toBe(ticket);
  });

  test("the reader's bar names the publisher, pauses on a version, follows again, and steps between versions", async () => {
    const { user, files, page } = await openReport();
    await framed(page, "Second").waitFor();
    const bar = page.locator(".reader-bar");
    await bar.getByText(`@${user.slug}`).filter({ visible: true }).waitFor();
    await bar.getByRole("button", { name: "Live" }).click();
    await bar.getByRole("button", { name: "Paused" }).waitFor();
    await scene.act.publish(user.token, files("Third"));
    await page.getByText("Version 2. The live link shows version 3.").waitFor();
    await framed(page, "Second").waitFor();
    await bar.getByRole("button", { name: "Paused" }).click();
    await framed(page, "Third").waitFor();
    await bar.getByRole("button", { name: "Live" }).waitFor();
    await bar.getByRole("button", { name: "Previous version" }).click();
    await framed(page, "Second").waitFor();
    await bar.getByRole("button", { name: "Previous version" }).click();
    await framed(page, "First").waitFor();
    await bar.getByRole("button", { name: "Version 1" }).click();
    await page.getByRole("menuitemradio", { name: /^Version 3 current/ }).click();
    await framed(page, "Third").waitFor();
    await bar.getByRole("button", { name: "Live" }).waitFor();
  });

  test("sharing is part of the address: reloading keeps the dialog, and back closes it", async () => {
    const { name, page } = await openReport();
    await framed(page, "Second").waitFor();
    const dialog = page.getByRole("dialog", { name: /^Share/ });
    const share = page.locator(".reader-bar").getByRole("button", { name: "Share" });
    const address = `${scene.service.baseUrl}/-/r/${name}`;
    await share.click();
    await dialog.waitFor();
    expect(page.url()).toBe(`${address}?share=true`);
    await page.reload();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
    expect(page.url()).toBe(address);
    await share.click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await settled(() => page.evaluate("location.href"), address);
    await settled(() => focusedText(page), "Share");
    await page.goForward();
    await dialog.waitFor();
  });

  test("the title is edited in place, undone, and returned to the document's", async () => {
    const { user, page } = await openReport();
    await framed(page, "Second").waitFor();
    const heading = page.getByRole("heading", { level: 1 });
    const titleOf = async () => (await scene.act.list(user.token)).groups[0]?.latest_title;
    await heading.getByRole("button").click();
    await page.getByRole("textbox", { name: "Title" }).fill("Not this");
    await page.keyboard.press("Escape");
    await settled(() => heading.innerText(), "Second");
    await settled(() => focusedText(page), "Second");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Title" }).fill("Sales, by week");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await settled(() => heading.innerText(), "Sales, by week");
    expect(await titleOf()).toBe("Sales, by week");
    await page.getByRole("button", { name: "Undo" }).click();
    await settled(() => heading.innerText(), "Second");
    expect(await titleOf()).toBe("Second");

    await choose(page, "More actions", "Edit title");
    await page.getByRole("textbox", { name: "Title" }).fill("مبيعات الأسبوع");
    await page.keyboard.press("Enter");
    await settled(() => heading.innerText(), "مبيعات الأسبوع");
    await heading.getByRole("button").click();
    await page.getByRole("button", { name: "Use the document's title" }).click();
    await settled(() => heading.innerText(), "Second");
    expect(await titleOf()).toBe("Second");
  });

  test("a report is renamed, filed and tagged, in its menu and in place", async () => {
    const { user, page } = await openReport();
    await framed(page, "Second").waitFor();
    const renamed = uniqueName("renamed");
    await choose(page, "More actions", "Rename…");
    await page.getByText("The current live link will stop working").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Not A Name");
    await page.getByText("Use 1 to 63 lowercase letters").waitFor();
    const { name: taken = "" } = await scene.act.publish(user.token, { name: uniqueName("taken") });
    await page.getByRole("textbox", { name: "Name" }).fill(taken);
    await page.keyboard.press("Enter");
    await page.getByText(/is taken/).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(renamed);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/-/r/${renamed}`);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settled(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"), "More actions");
    expect((await scene.act.group(user.token, renamed)).current_code).toBeString();

    await choose(page, "More actions", "Move to folder…");
    await page.getByRole("combobox", { name: "Folder" }).fill("Sales / 2026");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    const place = page.getByRole("navigation", { name: "Location" });
    await place.getByRole("link", { name: "Sales / 2026" }).waitFor();
    await details(page).getByRole("button", { name: "Sales / 2026" }).click();
    await page.getByRole("combobox", { name: "Folder" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("option", { name: "No folder" }).click();
    await details(page).getByRole("button", { name: "No folder" }).waitFor();
    await undo(page, "Removed from its folder");
    await details(page).getByRole("button", { name: "Sales / 2026" }).waitFor();

    await details(page).getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("combobox", { name: "Tags" }).fill("weekly");
    await page.keyboard.press("Enter");
    await details(page).getByRole("link", { name: "weekly" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Tags" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More actions" }).click();
    await expectNoBarriers(page);
    const upload = await page.getByRole("menuitem", { name: "Publish new version" }).getAttribute("href");
    expect(upload).toBe(`/-/w/${user.slug}/publish?name=${renamed}`);
  });

  test("the panel is hidden and shown, and the browser remembers it", async () => {
    const { page } = await openReport();
    await framed(page, "Second").waitFor();
    const widthOf = async () => Math.round((await page.locator("iframe").boundingBox())?.width ?? 0);
    const narrow = await widthOf();
    await page.keyboard.press("]");
    await details(page).waitFor({ state: "detached" });
    await until(async () => (await widthOf()) > narrow + 300);
    expect(await page.getByRole("button", { name: "Details" }).getAttribute("aria-expanded")).toBe("false");
    await page.reload();
    await framed(page, "Second").waitFor();
    expect(await details(page).count()).toBe(0);
    await page.getByRole("button", { name: "Details" }).click();
    await details(page).getByRole("heading", { name: "Versions" }).waitFor();
    // In a field it is a character.
    await page.getByRole("heading", { level: 1 }).getByRole("button").click();
    await page.keyboard.type("]");
    expect(await page.getByRole("textbox", { name: "Title" }).inputValue()).toBe("]");
    await details(page).waitFor();
  });

  test("a report that needs storage says so, and gets it in place", async () => {
    const user = await scene.service.build.user();
    const name = uniqueName();
    // Otherwise the browser would report the error as one of the page around.
    const quiet = `<script>addEventListener("error", (event) => event.preventDefault())</script>`;
    const script = `${quiet}<script>localStorage.setItem("a", "1"); document.body.innerHTML = "<h1>Works</h1>";</script>`;
    const files = [{ path: "index.html", content: `<!doctype html><title>Stored</title><body>${script}` }];
    const { code } = await scene.act.publish(user.token, { name, files });
    const page = await visit({ email: user.email, path: `/r/${name}` });
    await page.getByText("This report needs browser storage.").waitFor();
    await expectNoBarriers(page);
    const warnings = page.getByRole("button", { name: /^\d warnings?$/ }).first();
    await warnings.click();
    await page.getByRole("listitem").filter({ hasText: "localStorage" }).first().waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Turn on for this report" }).click();
    await framed(page, "Works").waitFor();
    await page.getByText("This report needs browser storage.").waitFor({ state: "detached" });
    const { storage, current_code: current } = (await scene.act.list(user.token)).groups[0] ?? {};
    expect({ storage, current }).toEqual({ storage: "memory", current: code });
    const field = details(page).getByRole("switch", { name: "Browser storage" });
    expect(await field.isChecked()).toBe(true);
    await field.press("Space");
    await page.getByText("This report needs browser storage.").waitFor();
  });

  test("a page open for hours renews its frame's ticket before it expires", async () => {
    const { page } = await openReport("", { isSpoiled: true });
    await page.clock.install();
    await page.reload();
    await framed(page, "Second").waitFor();
    const ticket = await page.locator("iframe").getAttribute("src");
    // The server's clock isn't mocked, and tickets of the same second are equal.
    const second = Math.floor(Date.now() / 1000);
    await until(() => Math.floor(Date.now() / 1000) > second);
    await page.clock.fastForward("06:00:00");
    expect(await page.locator("iframe").getAttribute("src")).toBe(ticket);
    await page.clock.fastForward("01:30:00");
    await page.locator(`iframe:not([src="${ticket}"])`).waitFor();
    await framed(page, "Second").waitFor();
  });

  test("deleting returns to the workspace and can be undone; the report's page says it is deleted", async () => {
    const { user, name, page } = await openReport();
    await choose(page, "More actions", "Delete report and all versions");
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.getByText("1 report deleted").waitFor();
    expect((await scene.act.list(user.token)).groups).toEqual([]);
    await page.goBack();
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await framed(page, "Second").waitFor();
    expect((await scene.act.group(user.token, name)).versions.length).toBe(2);

    await choose(page, "More actions", "Delete report and all versions");
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.getByText("1 report deleted").waitFor();
    expect((await scene.act.list(user.token)).groups).toEqual([]);
  });

  test("on a phone the report has the page, and its details are a sheet", async () => {
    const { user, name } = await openReport();
    const phone = await visit({
      email: user.email,
      path: `/r/${name}`,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: "dark",
    });
    await framed(phone, "Second").waitFor();
    expect((await phone.locator("iframe").boundingBox())?.y).toBeLessThanOrEqual(56);
    const smallOnes = () =>
      phone
        .locator("main, [role=dialog]")
        .getByRole("button")
        .evaluateAll((buttons) =>
          buttons
            .filter((button) => button.checkVisibility() && button.getBoundingClientRect().height < 40)
            .map((button) => button.textContent),
        );
    const check = async () => {
      await expectNoSidewaysScroll(phone);
      await expectNoBarriers(phone);
      expect(await smallOnes()).toEqual([]);
    };
    await check();
    await phone.getByRole("button", { name: "Details" }).tap();
    const sheet = phone.getByRole("dialog", { name: "Details" });
    await sheet.getByRole("link", { name: "Version 1" }).waitFor();
    await check();
    await sheet.getByRole("link", { name: "Version 1" }).tap();
    await framed(phone, "First").waitFor();
    await sheet.waitFor({ state: "detached" });
    await check();
    await phone.getByRole("button", { name: "More actions" }).tap();
    await phone.getByRole("menuitem", { name: "Files" }).tap();
    await phone.getByRole("table", { name: "Files" }).waitFor();
    await check();
    await phone.getByRole("button", { name: "More actions" }).tap();
    await phone.getByRole("menuitem", { name: "Compare versions" }).tap();
    await phone.getByRole("slider", { name: "Divider between the versions" }).waitFor({ state: "attached" });
    await check();
    await phone.getByRole("link", { name: "Show report" }).tap();
    await framed(phone, "First").waitFor();
    await phone.getByRole("main").getByRole("link", { name: "All reports" }).tap();
    await phone.waitForURL(`**/-/w/${user.slug}`);
    await phone.getByRole("banner").waitFor();
  });
});
