import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { expectTitles, fillWorkspace, hasFocus, openThree, row, selectedTitles, THREE } from "./list-scene.ts";
import { createReportScene, expectNoBarriers } from "./report-scene.ts";

describeIf("the first page", chromiumUnavailable(), () => {
  const scene = createReportScene();

  const undo = (page: Page) => page.getByRole("button", { name: "Undo" });

  test("sends its first requests without waiting for its scripts, once each", async () => {
    const user = await scene.service.build.user();
    await fillWorkspace(scene.service, user, THREE);
    const page = await scene.visit({ email: user.email, path: "/account" });
    await page.getByRole("button", { name: /^Account of/ }).waitFor();
    const first = ["/api/account", "/api/search", "/api/shortcuts", "/api/taxonomy"];
    const sent: string[] = [];
    const { promise: allSent, resolve } = Promise.withResolvers<void>();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (first.includes(pathname)) sent.push(pathname);
      if (sent.length === first.length) resolve();
    });
    // The scripts come only after these requests.
    await page.route(/\.js$/, async (route) => {
      await allSent;
      await route.continue();
    });
    await page.goto(`${scene.service.baseUrl}/-/w/${user.slug}`);
    await expectTitles(page, ["Carrots", "Bananas", "Apples"]);
    expect(sent.toSorted()).toEqual(first);
  });

  test("single keys move, select, star and undo; they stay letters in fields", async () => {
    const { page } = await openThree(scene);
    await page.keyboard.press("j");
    expect(await hasFocus(page, "Carrots")).toBe(true);
    await page.keyboard.press("j");
    expect(await hasFocus(page, "Bananas")).toBe(true);
    await page.keyboard.press("k");
    await page.keyboard.press("x");
    expect(await selectedTitles(page)).toEqual(["Carrots"]);
    await page.keyboard.press("Escape");

    await page.keyboard.press("s");
    await row(page, "Carrots").getByRole("button", { name: "Star Carrots", pressed: true }).waitFor();
    await page.getByText("Added to starred").waitFor();
    await undo(page).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("z");
    await row(page, "Carrots").getByRole("button", { name: "Star Carrots", pressed: false }).waitFor();

    await page.keyboard.press("e");
    const field = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
    const before = await field.inputValue();
    await field.fill(`${before}-jkx`);
    await page.keyboard.press("Enter");
    await row(page, "Carrots").getByText(`${before}-jkx`).waitFor();
    await page.keyboard.press("z");
    await row(page, "Carrots").getByText(before, { exact: true }).waitFor();

    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("New report").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.keyboard.type("carx");
    expect(await page.getByRole("searchbox").inputValue()).toBe("carx");
    expect(await selectedTitles(page)).toEqual([]);
  });

  test("every change of the list can be undone", async () => {
    const { page } = await openThree(scene);
    await row(page, "Bananas").focus();
    await page.keyboard.press("m");
    await page.getByRole("option", { name: "No folder" }).click();
    await page.getByText("Moved 1 report out of folders").waitFor();
    await row(page, "Bananas").getByText("Fruit").waitFor({ state: "detached" });
    await undo(page).last().click();
    await row(page, "Bananas").getByText("Fruit").waitFor();

    await row(page, "Carrots").focus();
    await page.keyboard.press("t");
    await page.getByRole("option", { name: "Fresh" }).click();
    await row(page, "Carrots").getByText("Fresh").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Changed the tags of 1 report").waitFor();
    await undo(page).last().click();
    await row(page, "Carrots").getByText("Fresh").waitFor();

    await row(page, "Carrots").focus();
    await page.keyboard.press("v");
    await page.getByRole("radio", { name: "Public" }).click();
    await row(page, "Carrots").getByText("Public").waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await undo(page).last().click();
    await row(page, "Carrots").getByText("Private").waitFor();
  });

  test("the palette stays in place, and searches all workspaces on demand", async () => {
    const organization = await scene.service.build.organization();
    const { owner } = organization;
    await fillWorkspace(scene.service, { slug: organization.slug, token: owner.token }, [{ title: "Shared plums" }]);
    const page = await scene.visit({ email: `${owner.slug}@example.org`, path: `/w/${owner.slug}` });
    await page.getByRole("button", { name: "Command palette" }).click();
    const box = page.getByRole("combobox", { name: "Search or run a command" });
    const top = async () => (await page.getByRole("dialog").boundingBox())?.y;
    const before = await top();
    await box.fill("plums");
    await page.getByRole("option", { name: "Search all workspaces for “plums”" }).click();
    await page.getByRole("option", { name: "Shared plums" }).waitFor();
    expect(await top()).toBe(before);
    await expectNoBarriers(page);
    await box.fill("plums and nothing else");
    await page.getByText("No results").waitFor();
    await expectNoBarriers(page);
    await box.fill("plums");
    await page.getByRole("option", { name: "Shared plums" }).click();
    await page.getByRole("heading", { level: 1, name: "Shared plums" }).waitFor();
  });

  test("a workspace that doesn't exist is beside the user's own cabinet", async () => {
    const user = await scene.service.build.user();
    const page = await scene.visit({ email: user.email, path: "/w/none-of-this-name" });
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    const sidebar = page.getByRole("navigation", { name: "Cabinet" });
    await sidebar.getByRole("link", { name: "All reports" }).waitFor();
    await sidebar.getByRole("button", { name: `${user.slug} Personal Switch workspace` }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});
