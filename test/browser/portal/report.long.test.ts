import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { details, openReport } from "./open-report.ts";
import { createReportScene, expectNoBarriers, expectNoSidewaysScroll, framed, untilTrue } from "./report-scene.ts";

describeIf("a report's page", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  test("the panel is hidden and shown, and the browser remembers it", async () => {
    const { page } = await openReport(scene);
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

  test("on a phone the report has the page, and its details are a sheet", async () => {
    const { user, name } = await openReport(scene);
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

  test("its bar fits windows of any width, also when a newer version than the current one is offered", async () => {
    const { page } = await openReport(scene);
    await details(page).getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Newer: v2" }).waitFor();
    for (let width = 390; width <= 1_390; width += 20) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      // Neither does it reach below what stands beside it.
      await untilTrue(
        page,
        "(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('.reader-bar-body'))",
      );
    }
  });
});
