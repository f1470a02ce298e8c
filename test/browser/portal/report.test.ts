import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { itemVersionsRoute } from "../../../src/contract/reports/details.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { settled, until } from "../../support/until.ts";
import { details, openReport } from "./open-report.ts";
import { choose, createReportScene, expectNoBarriers, focusedText, framed, untilTrue } from "./report-scene.ts";

describeIf("a report's page", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  /** Does what copies, and returns the clipboard's text. */
  async function copied(page: Page, act: () => Promise<unknown>): Promise<string> {
    await page.evaluate("navigator.clipboard.writeText('')");
    await act();
    await untilTrue(page, "navigator.clipboard.readText().then((text) => text !== '')");
    return page.evaluate<string>("navigator.clipboard.readText()");
  }

  const copiedBy = (page: Page, button: string) =>
    copied(page, () => page.getByRole("button", { name: button }).first().click());

  test("the owner sees a private report, and new versions appear in every browser", async () => {
    const { user, name, files, page } = await openReport(scene);
    const other = await visit({ email: user.email, path: `/r/${name}` });
    await Promise.all([page, other].map((each) => framed(each, "Second").waitFor()));
    expect(await page.title()).toBe("Second · Vitrine");
    await details(page).getByText("Only you can view.").waitFor();
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
    const { user, name, first, second, page } = await openReport(scene, { visibility: "public" });
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
    // Keys belong to the menu once it has the focus.
    await page.locator("[role=menu]:focus-within").waitFor();
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
    await details(page).getByText("Only you can view.").waitFor();
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
    const { user, files, page } = await openReport(scene);
    await framed(page, "Second").waitFor();
    const bar = page.locator(".reader-bar");
    // In narrower windows with the panel, a long name is only in the panel.
    await page.setViewportSize({ width: 1600, height: 900 });
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

  test("the reader's bar steps back from a version that was published while the versions were loaded", async () => {
    const { user, files, page } = await openReport(scene);
    await framed(page, "Second").waitFor();
    const bar = page.locator(".reader-bar");
    const answered = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const isOfBar = (url: URL) => url.pathname === itemVersionsRoute.path && url.searchParams.get("limit") === "200";
    await page.route(isOfBar, async (route) => {
      const response = await route.fetch();
      answered.resolve();
      await held.promise;
      await route.fulfill({ response });
    });
    await bar.getByRole("button", { name: "Live" }).click();
    await answered.promise;
    await bar.getByRole("button", { name: "Paused" }).waitFor();
    await scene.act.publish(user.token, files("Third"));
    await page.getByText("Version 2. The live link shows version 3.").waitFor();
    const loaded = page.waitForEvent("requestfinished", (request) => isOfBar(new URL(request.url())));
    held.resolve();
    await loaded;
    await bar.getByRole("button", { name: "Paused" }).click();
    await framed(page, "Third").waitFor();
    await bar.getByRole("button", { name: "Previous version" }).click();
    await framed(page, "Second").waitFor();
  });

  test("sharing is part of the address: reloading keeps the dialog, and back closes it", async () => {
    const { name, page } = await openReport(scene);
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

  test("a page open for hours renews its frame's ticket before it expires", async () => {
    const { page } = await openReport(scene, { isSpoiled: true });
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
});
