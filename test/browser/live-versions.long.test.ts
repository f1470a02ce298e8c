import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../support/chromium.ts";
import { describeIf } from "../support/skip.ts";
import { settled } from "../support/until.ts";
import { createLiveScene, news, shows } from "./live-scene.ts";

describeIf("live links in a browser", chromiumUnavailable(), () => {
  const { publish, openLive } = createLiveScene();

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
});
