import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { tagItemsRoute } from "../../../src/contract/cabinet/items.ts";
import { createTagRoute } from "../../../src/contract/cabinet/tags.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { expectTitles, openThree, row } from "./list-scene.ts";
import { createReportScene, expectNoBarriers } from "./report-scene.ts";

describeIf("the first page", chromiumUnavailable(), () => {
  const scene = createReportScene();

  const undo = (page: Page) => page.getByRole("button", { name: "Undo" });

  test("recent and starred reports have a list each", async () => {
    const { page, names, user } = await openThree(scene);
    await row(page, "Apples").getByRole("button", { name: "Star Apples" }).click();
    await page.getByRole("link", { name: "Starred 1 report", exact: true }).click();
    await expectTitles(page, ["Apples"]);
    await page.getByRole("heading", { level: 1, name: "Starred" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Apples" }).click();
    await page.getByRole("heading", { level: 1, name: "Apples" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("r");
    await page.waitForURL(/place=recent/);
    await expectTitles(page, ["Apples", "Carrots", "Bananas"]);
    expect(names).toHaveLength(3);

    for (const title of ["Carrots", "Bananas"]) {
      await row(page, title)
        .getByRole("button", { name: `Star ${title}` })
        .click();
      await row(page, title)
        .getByRole("button", { name: `Star ${title}`, pressed: true })
        .waitFor();
    }
    const address = `${scene.service.baseUrl}/-/w/${user.slug}?place=starred`;
    const read: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // A page that is being left may still read its report.
      if (page.url() !== address) return;
      if (/^\/api\/items?$/.test(pathname)) read.push(`${pathname} ${searchParams.getAll("name").length}`);
    });
    await page.goto(address);
    await expectTitles(page, ["Bananas", "Carrots", "Apples"]);
    expect(read).toContain("/api/items 3");
    expect(read.filter((path) => path.startsWith("/api/item "))).toEqual([]);
    for (const title of ["Bananas", "Carrots"]) {
      await row(page, title)
        .getByRole("button", { name: `Star ${title}` })
        .click();
      await row(page, title).waitFor({ state: "detached" });
    }
    await row(page, "Apples").getByRole("button", { name: "Star Apples" }).click();
    await page.getByText("No starred reports yet").waitFor();
    await expectNoBarriers(page);
  });

  test("a dialog that is closed before the answer still offers to undo its change", async () => {
    const { page } = await openThree(scene);
    const { promise: isClosed, resolve: close } = Promise.withResolvers<void>();
    await page.route("**/api/set-visibility", async (route) => {
      const answer = await route.fetch();
      await isClosed;
      await route.fulfill({ response: answer });
    });
    await row(page, "Carrots").focus();
    await page.keyboard.press("v");
    await page.getByRole("radio", { name: "Public" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    close();
    await undo(page).click();
    await row(page, "Carrots").getByText("Private").waitFor();
  });

  test("a tag shows the reports of its subtags, and its count includes them", async () => {
    const { page, user, names, tag } = await openThree(scene);
    const client = scene.service.client(user.token);
    const fresh = await tag("Fresh");
    const daily = await client.call(createTagRoute, { body: { owner: user.slug, title: "Daily", parent_id: fresh } });
    await client.call(tagItemsRoute, { body: { items: [{ name: names[0] ?? "" }], add: [daily.id] } });
    await page.getByRole("treeitem", { name: "Fresh 2 reports", exact: true }).click();
    await expectTitles(page, ["Carrots", "Apples"]);
    await page.getByRole("button", { name: "Only this tag" }).click();
    await expectTitles(page, ["Carrots"]);
    await page.getByRole("button", { name: /^Only this tag ?, remove filter$/ }).click();
    await expectTitles(page, ["Carrots", "Apples"]);
  });

  test("columns are chosen per browser, and tags are never cut off", async () => {
    const { page } = await openThree(scene);
    const headers = () => page.getByRole("columnheader").allTextContents();
    expect(await headers()).toContain("Folder");
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Folder" }).click();
    await settled(async () => (await headers()).includes("Folder"), false);
    await expectNoBarriers(page);
    await page.reload();
    await expectTitles(page, ["Carrots", "Bananas", "Apples"]);
    expect(await headers()).not.toContain("Folder");
  });
});
