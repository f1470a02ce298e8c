import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { expectTitles, fillWorkspace } from "./list-scene.ts";
import { createReportScene, expectNoBarriers, expectNoSidewaysScroll, refuseUntilClicked } from "./report-scene.ts";

const FOUR = [
  { title: "Apples", folder: "Fruit", tags: ["Fresh", "Cheap"] },
  { title: "Bananas", folder: "Fruit", visibility: "public" },
  { title: "Carrots", tags: ["Fresh"], visibility: "public" },
  { title: "Dates" },
] as const;

describeIf("the list of reports", chromiumUnavailable(), () => {
  const scene = createReportScene();

  async function openFour(path = "") {
    const user = await scene.service.build.user();
    const filled = await fillWorkspace(scene.service, user, FOUR);
    const home = `/w/${user.slug}`;
    const page = await scene.visit({ email: user.email, path: home + path });
    return { user, page, home: `${scene.service.baseUrl}/-${home}`, ...filled };
  }

  test("search runs while typing, updates the address, and keeps characters and history", async () => {
    const { page, home } = await openFour();
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
    await page.getByRole("heading", { level: 1, name: "All reports" }).waitFor();
    expect(await page.title()).toBe("All reports · Vitrine");
    const box = page.getByRole("searchbox");
    await page.keyboard.press("/");
    await page.keyboard.type("  bananas", { delay: 70 });
    expect(await box.inputValue()).toBe("  bananas");
    await expectTitles(page, ["Bananas"]);
    await page.waitForURL(`${home}?q=bananas`);
    expect(await box.inputValue()).toBe("  bananas");

    await page.keyboard.press("Escape");
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
    await page.waitForURL(home);
    await page.keyboard.type("fresh");
    await expectTitles(page, ["Carrots", "Apples"]);
    await page.getByRole("link", { name: "Apples" }).click();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
    expect(await box.inputValue()).toBe("");
    await page.goBack();
    await expectTitles(page, ["Carrots", "Apples"]);
    expect(await box.inputValue()).toBe("fresh");
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();

    // On any other page, searching opens the list.
    await box.fill("date");
    await expectTitles(page, ["Dates"]);
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
    await box.press("Enter");
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);

    await box.fill("nothing like it");
    await page.getByText("No results for “nothing like it”").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
  });

  test("column headers and a menu sort the list and update the address", async () => {
    const { page } = await openFour();
    await page.getByRole("button", { name: "Title", exact: true }).click();
    await expectTitles(page, ["Apples", "Bananas", "Carrots", "Dates"]);
    expect(await page.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort")).toBe("ascending");
    await page.getByRole("button", { name: "Title", exact: true }).click();
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
    expect(await page.getByRole("columnheader", { name: "Title" }).getAttribute("aria-sort")).toBe("descending");
    await page.getByRole("button", { name: "Sort: Title" }).click();
    await expectNoBarriers(page);
    await page.getByRole("menuitemradio", { name: "Created, oldest first" }).click();
    await expectTitles(page, ["Apples", "Bananas", "Carrots", "Dates"]);
    await page.reload();
    await expectTitles(page, ["Apples", "Bananas", "Carrots", "Dates"]);
    await page.getByRole("columnheader", { name: "Created" }).waitFor();
    await page.goBack();
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
  });

  test("filters appear as chips above the list until removed", async () => {
    const { user, page, home, folder, tag } = await openFour();
    const search = new URLSearchParams({ folder: await folder("Fruit"), tags: JSON.stringify([await tag("Fresh")]) });
    await page.goto(`${home}?${search}`);
    await expectTitles(page, ["Apples"]);
    await page.getByRole("heading", { level: 1, name: "Fruit" }).waitFor();
    const chips = page.getByRole("group", { name: "Filters" }).getByRole("button");
    expect(await chips.count()).toBe(4);
    await expectNoBarriers(page);
    await page.getByRole("button", { name: /^Tag: Fresh/ }).press("Enter");
    await expectTitles(page, ["Bananas", "Apples"]);
    expect(await page.evaluate<string>("document.activeElement.textContent")).toMatch(/^Folder: Fruit/);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByRole("option", { name: "Visibility…" }).click();
    await page.getByRole("option", { name: "Public" }).click();
    await expectTitles(page, ["Bananas"]);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);

    await page.goto(`${home}?folder=none`);
    await expectTitles(page, ["Dates", "Carrots"]);
    await page.getByRole("heading", { level: 1, name: "Unfiled" }).waitFor();
    await page.goto(`${home}?folder=fld_gone`);
    await page.getByText("This folder, drawer or tag doesn't exist").waitFor();
    await expectNoBarriers(page);
    await page.goto(`${home}?q=2026&sort=nonsense&tags=nonsense`);
    await page.getByText("No results for “2026”").waitFor();

    await page.goto(`${scene.service.baseUrl}/-/w/somebody-else-than-${user.slug}`);
    await page.getByText("Page not found").waitFor();
    await expectNoBarriers(page);
  });

  test("an empty workspace shows how to publish; a failure can be retried", async () => {
    const user = await scene.service.build.user();
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}` });
    await page.getByRole("heading", { name: "Publish your first report" }).waitFor();
    await page.getByText("Drop an HTML file, a folder or a zip archive here").waitFor();
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    await page.getByRole("button", { name: "Try with sample reports" }).waitFor();
    const connect = page.getByRole("link", { name: "Connect it with one command" });
    expect(await connect.getAttribute("href")).toBe("/-/connect");
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Paste HTML" }).click();
    await page.waitForURL(`${scene.service.baseUrl}/-/w/${user.slug}/publish`);
    await page.goBack();
    await page.getByRole("heading", { name: "Publish your first report" }).waitFor();

    // Reports by others appear without a reload.
    await fillWorkspace(scene.service, user, [{ title: "Elderberries" }]);
    await expectTitles(page, ["Elderberries"]);

    await refuseUntilClicked(page, "**/api/search?*", "Not today.");
    await page.getByRole("searchbox").fill("elder");
    await page.getByText("Not today.").waitFor();
    // It stays while the list is asked for again, because a report has arrived.
    await page.evaluate(
      `globalThis.wasGone = false;
      new MutationObserver(() => { globalThis.wasGone ||= !document.body.innerText.includes("Not today."); })
        .observe(document.body, { childList: true, subtree: true })`,
    );
    const again = page.waitForResponse(/api\/search\?/);
    await fillWorkspace(scene.service, user, [{ title: "Figs" }]);
    await again;
    await page.getByRole("button", { name: "Try again", exact: true }).waitFor();
    expect(await page.evaluate("globalThis.wasGone")).toBe(false);
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await expectTitles(page, ["Elderberries"]);
  });

  test("at 390 px each report takes two lines, and nothing overflows", async () => {
    const user = await scene.service.build.user();
    await fillWorkspace(scene.service, user, FOUR);
    const viewport = { width: 390, height: 844 };
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}`, viewport, hasTouch: true });
    await expectTitles(page, ["Dates", "Carrots", "Bananas", "Apples"]);
    await expectNoSidewaysScroll(page);
    const apples = page.getByRole("row").filter({ hasText: "Apples" });
    expect((await apples.boundingBox())?.height).toBe(60);
    await apples.getByText("Fruit").waitFor();
    await apples.getByRole("checkbox").tap();
    const bar = page.getByRole("region", { name: "Selected reports" });
    await bar.getByText("1 selected").waitFor();
    await bar.getByRole("button", { name: "Delete" }).click({ trial: true });
    for (const button of await bar.getByRole("button").all()) {
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(40);
    }
    await expectNoBarriers(page);
    await apples.getByRole("link").tap();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
  });

  test("the menu of a report that is partly below the window is within it", async () => {
    const user = await scene.service.build.user();
    const titles = Array.from({ length: 10 }, (_, number) => ({ title: `Report ${number}` }));
    await fillWorkspace(scene.service, user, titles);
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}` });
    await page.getByRole("link", { name: "Report 0" }).hover();
    const button = page.getByRole("button", { name: "Actions for Report 0" });
    const { y = 0, height = 0, width = 0 } = (await button.boundingBox()) ?? {};
    const bottom = Math.round(y + height - 6);
    await page.setViewportSize({ width: 1440, height: bottom });
    await button.click({ position: { x: width / 2, y: 4 } });
    const menu = page.getByRole("menu", { name: "Report 0" });
    await menu.waitFor();
    await until(async () => {
      const box = await menu.boundingBox();
      return box !== null && box.y >= 0 && box.y + box.height <= bottom;
    });
  });
});
