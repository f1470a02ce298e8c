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

  /** Presses a button and returns the clipboard's text. */
  async function copied(page: Page, button: string): Promise<string> {
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole("button", { name: button }).first().click();
    await untilTrue(page, "navigator.clipboard.readText().then((text) => text !== '')");
    return page.evaluate<string>("navigator.clipboard.readText()");
  }

  const done = (page: Page, message: string | RegExp) => page.getByText(message).last().waitFor();

  test("the owner sees a private report, and new versions appear in every browser", async () => {
    const { user, name, files, page } = await openReport();
    const other = await visit({ email: user.email, path: `/r/${name}` });
    await Promise.all([page, other].map((each) => framed(each, "Second").waitFor()));
    expect(await page.title()).toBe("Second · Vitrine");
    await page.getByText("Only you can view it.").first().waitFor();
    await expectNoBarriers(page);
    const frame = page.locator("iframe");
    expect(await frame.getAttribute("sandbox")).not.toContain("allow-same-origin");
    expect(await frame.getAttribute("allow")).toBe("fullscreen *; clipboard-write *");

    await page.evaluate("globalThis.isSamePage = true");
    await scene.act.publish(user.token, files("Third"));
    await Promise.all([page, other].map((each) => framed(each, "Third").waitFor()));
    await page.getByRole("heading", { level: 1, name: "Third" }).waitFor();
    expect(await page.evaluate<boolean>("globalThis.isSamePage")).toBe(true);
    // A chosen older version stays, and the new one is offered.
    await page.getByRole("button", { name: "Version 3", exact: true }).click();
    await page.getByRole("menuitemradio", { name: /^Version 1/ }).click();
    await framed(page, "First").waitFor();
    await page.getByRole("button", { name: "Paused", pressed: false }).waitFor();
    await scene.act.publish(user.token, files("Fourth"));
    await framed(other, "Fourth").waitFor();
    await page.getByRole("heading", { level: 1, name: "Fourth" }).waitFor();
    await framed(page, "First").waitFor();
    await page.getByRole("button", { name: "Show version 4" }).click();
    await framed(page, "Fourth").waitFor();
    await page.getByRole("button", { name: "Live", pressed: true }).waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("compare ver");
    await page.getByRole("option", { name: "Compare versions" }).click();
    await page.getByRole("button", { name: "From: Version 3" }).waitFor();
  });

  test("versions are switched, links copied, and the frame isn't reloaded without a change", async () => {
    const { user, name, first, second, page } = await openReport("", { visibility: "public" });
    await framed(page, "Second").waitFor();
    expect(await copied(page, "Copy live link")).toBe(`${scene.service.contentUrl}/@${user.slug}/${name}/`);
    await page.getByRole("button", { name: "Previous version" }).click();
    await framed(page, "First").waitFor();
    expect(await copied(page, "Copy version link")).toBe(first.url);
    expect(await copied(page, "Copy command")).toBe(`curl ${first.url}`);
    const open = page.getByRole("link", { name: "Open the version link in a new tab" });
    expect(await open.getAttribute("href")).toBe(first.url);

    await page.getByRole("button", { name: "Present" }).click();
    await untilTrue(page, "document.fullscreenElement !== null");
    await page.keyboard.press("f");
    await untilTrue(page, "document.fullscreenElement === null");
    await page.getByRole("button", { name: "Paused" }).click();
    await framed(page, "Second").waitFor();
    const live = page.getByRole("link", { name: "Open the live link in a new tab" });
    const [opened] = await Promise.all([page.waitForEvent("popup"), live.click()]);
    await opened.frameLocator("iframe").getByRole("heading", { name: "Second" }).waitFor();
    await opened.close();

    const src = await page.locator("iframe").getAttribute("src");
    await scene.act.setVisibility(user.token, { name, visibility: "private" });
    await page.getByRole("button", { name: "Make public" }).waitFor();
    await framed(page, "Second").waitFor();
    expect(await page.locator("iframe").getAttribute("src")).not.toBe(src);
    expect(await copied(page, "Copy command")).toBe(
      `curl -H "Authorization: Bearer $VITRINE_TOKEN" ${scene.service.contentUrl}/${second.code}/`,
    );
    const ticket = await page.locator("iframe").getAttribute("src");
    await scene.act.setFolder(user.token, { name, folder: "Sales/2026" });
    await page.getByRole("main").getByRole("link", { name: "Sales / 2026" }).waitFor();
    expect(await page.locator("iframe").getAttribute("src")).toBe(ticket);
  });

  test("a report is made public and private, renamed, filed and tagged", async () => {
    const { user, name, page } = await openReport();
    await framed(page, "Second").waitFor();
    await page.getByText("The report and all its versions can be viewed without signing in.").waitFor();
    await page.getByRole("button", { name: "Make public" }).click();
    await done(page, "Visibility changed to public");
    expect((await scene.act.group(user.token, name)).versions.map(({ visibility }) => visibility)).toEqual([
      "public",
      "public",
    ]);
    await settled(() => focusedText(page), "Make private");
    await page.keyboard.press("Enter");
    await done(page, "Visibility changed to private");

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
    await settled(() => focusedText(page), "More actions");
    expect((await scene.act.group(user.token, renamed)).current_code).toBeString();

    await choose(page, "More actions", "File in folder…");
    await page.getByRole("combobox", { name: "Folder" }).fill("Sales / 2026");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Location" }).getByRole("link", { name: "2026" }).waitFor();
    await page.getByRole("button", { name: "Change tags" }).click();
    await page.getByRole("combobox", { name: "Tags" }).fill("weekly");
    await page.keyboard.press("Enter");
    await page.getByRole("main").getByRole("link", { name: "weekly" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await choose(page, "More actions", "Add to shortcuts");
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Remove from shortcuts" }).waitFor();
    await expectNoBarriers(page);
    const upload = await page.getByRole("menuitem", { name: "Publish new version" }).getAttribute("href");
    expect(upload).toBe(`/-/w/${user.slug}/publish?name=${renamed}`);
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

  test("on a phone everything is in one column with large touch targets", async () => {
    const { user, name, page } = await openReport();
    const phone = await visit({
      email: user.email,
      path: `/r/${name}`,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: "dark",
    });
    for (const tab of ["Preview", "Versions", "Compare", "Files"]) {
      await phone.getByRole("tab", { name: tab }).tap();
      await phone.getByRole("tabpanel").getByRole("button").first().waitFor();
      await expectNoSidewaysScroll(phone);
      if (tab !== "Files") await expectNoBarriers(phone);
      const small = await phone
        .locator("main")
        .getByRole("button")
        .evaluateAll((buttons) =>
          buttons.filter((button) => button.getBoundingClientRect().height < 40).map((button) => button.textContent),
        );
      expect(small).toEqual([]);
    }
    await framed(page, "Second").waitFor();
  });
});
