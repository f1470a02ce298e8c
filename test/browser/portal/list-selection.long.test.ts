import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { searchRoute } from "../../../src/contract/search/search.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { expectTitles, fillWorkspace, hasFocus, row, selectedTitles } from "./list-scene.ts";
import { createReportScene, expectNoBarriers, undo } from "./report-scene.ts";

/** Newest first, like the list. */
const SIX = ["Six", "Five", "Four", "Three", "Two", "One"];

describeIf("the selection in the list of reports", chromiumUnavailable(), () => {
  const scene = createReportScene();

  async function openSix(path = "") {
    const user = await scene.service.build.user();
    const wanted = SIX.toReversed().map((title) => ({ title, ...(title === "Two" ? { tags: ["Even"] } : {}) }));
    const filled = await fillWorkspace(scene.service, user, wanted);
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}${path}` });
    await row(page, "One").waitFor();
    return { user, page, ...filled };
  }

  const count = (page: Page, selected: number) => page.getByText(`${selected} selected`, { exact: true }).waitFor();
  const box = (page: Page, title: string) => page.getByRole("checkbox", { name: `Select ${title}`, exact: true });
  const bar = (page: Page) => page.getByRole("region", { name: "Selected reports" });

  const itemsOf = async ({ slug, token }: { slug: string; token: string }) =>
    (await scene.service.client(token).call(searchRoute, { query: { owner: slug, sort: "created" } })).items;

  test("reports and ranges are selected by pointer and by keyboard", async () => {
    const { page } = await openSix();
    await box(page, "Six").click();
    await box(page, "Four").click({ modifiers: ["Shift"] });
    expect(await selectedTitles(page)).toEqual(["Six", "Five", "Four"]);
    await row(page, "Five")
      .locator("time")
      .click({ modifiers: ["ControlOrMeta"] });
    await row(page, "One")
      .locator("time")
      .click({ modifiers: ["ControlOrMeta"] });
    expect(await selectedTitles(page)).toEqual(["Six", "Four", "One"]);
    await count(page, 3);
    await expectNoBarriers(page);
    await row(page, "Three")
      .locator("time")
      .click({ modifiers: ["Shift"] });
    expect(await selectedTitles(page)).toEqual(["Six", "Four", "Three", "Two", "One"]);
    await page.keyboard.press("Escape");
    expect(await selectedTitles(page)).toEqual([]);

    await page.keyboard.press("Home");
    expect(await hasFocus(page, "Six")).toBe(true);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    expect(await selectedTitles(page)).toEqual(["Five", "Four", "Three"]);
    await page.keyboard.press("Shift+ArrowUp");
    expect(await selectedTitles(page)).toEqual(["Five", "Four"]);
    await page.keyboard.press("ControlOrMeta+a");
    await count(page, 6);
    await bar(page).getByRole("button", { name: "Clear selection" }).click();
    expect(await selectedTitles(page)).toEqual([]);
    expect(await hasFocus(page, "Four")).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Four" }).waitFor();
  });

  test("several reports are filed in a new folder and tagged", async () => {
    const { user, page } = await openSix();
    await box(page, "Two").click();
    await box(page, "Five").click();
    await bar(page).getByRole("button", { name: "Move to folder…" }).click();
    const dialog = page.getByRole("dialog", { name: "Move 2 reports to a folder" });
    await dialog.getByRole("combobox", { name: "Folder" }).fill("Numbers / Small");
    await dialog.getByRole("option", { name: "Create Numbers / “Small”" }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await row(page, "Two").getByText("Numbers / Small").waitFor();
    await row(page, "Five").getByText("Numbers / Small").waitFor();
    await count(page, 2);

    await bar(page).getByRole("button", { name: "Tags…" }).click();
    const carried = async () =>
      (await itemsOf(user))
        .filter(({ title }) => title === "Two" || title === "Five")
        .map(({ tags }) => tags.map(({ title }) => title));
    const before = await carried();
    const tags = page.getByRole("dialog", { name: "Which tags should 2 reports have?" });
    const even = tags.getByRole("option", { name: "Even" });
    expect(await even.getAttribute("aria-checked")).toBe("mixed");
    await expectNoBarriers(page);
    await even.click();
    await row(page, "Five").getByText("Even").waitFor();
    expect(await even.getAttribute("aria-checked")).toBe("true");
    await even.click();
    await row(page, "Two").getByText("Even").waitFor({ state: "detached" });
    await tags.getByRole("combobox", { name: "Tags" }).fill("Odd");
    await page.keyboard.press("Enter");
    await row(page, "Two").getByText("Odd").waitFor();
    await tags.getByRole("button", { name: "Done" }).click();
    await tags.waitFor({ state: "detached" });
    expect(await carried()).toEqual([["Odd"], ["Odd"]]);
    await undo(page, "Changed the tags of 2 reports");
    await settled(carried, before);

    await bar(page).getByRole("button", { name: "Move to folder…" }).click();
    await page.getByRole("option", { name: "No folder" }).click();
    await row(page, "Two").getByText("Numbers / Small").waitFor({ state: "detached" });
    await undo(page, "Moved 2 reports out of folders");
    await row(page, "Two").getByText("Numbers / Small").waitFor();
  });

  test("several reports are shared at once, with one undo", async () => {
    const { user, page } = await openSix();
    const visibilities = async () => (await itemsOf(user)).map(({ visibility }) => visibility).slice(0, 4);
    await box(page, "Six").click();
    await box(page, "Four").click({ modifiers: ["Shift"] });
    await bar(page).getByRole("button", { name: "Share…" }).click();
    const dialog = page.getByRole("dialog", { name: "Share 3 reports" });
    await dialog.getByRole("textbox", { name: "Add people by email" }).fill("nonsense");
    await dialog.getByRole("button", { name: "Share" }).click();
    await dialog.getByText(/"nonsense" isn't a valid email address/).waitFor();
    await dialog.getByRole("textbox", { name: "Add people by email" }).fill("grace@example.org");
    await dialog.getByRole("radio", { name: "Public" }).check();
    await expectNoBarriers(page);
    await dialog.getByRole("button", { name: "Share" }).click();
    await page.getByText("Shared 3 reports").waitFor();
    await row(page, "Four").getByText("Public").waitFor();
    expect(await visibilities()).toEqual(["public", "public", "public", "private"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, "Four").getByText("Private").waitFor();
    expect(await visibilities()).toEqual(["private", "private", "private", "private"]);
  });

  test("deleted reports disappear immediately and return on undo", async () => {
    const { user, page } = await openSix();
    await box(page, "Five").click();
    await box(page, "Four").click();
    await bar(page).getByRole("button", { name: "Delete" }).click();
    await expectTitles(page, ["Six", "Three", "Two", "One"]);
    expect(await hasFocus(page, "Three")).toBe(true);
    await page.getByText("2 reports deleted").waitFor();
    expect(await itemsOf(user)).toHaveLength(4);
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await expectTitles(page, SIX);
    await page.getByText("2 reports restored").waitFor();
    expect(await itemsOf(user)).toHaveLength(6);

    await row(page, "One").focus();
    await page.keyboard.press("Delete");
    await expectTitles(page, SIX.slice(0, 5));
    expect(await hasFocus(page, "Two")).toBe(true);
    await row(page, "Two").focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    await page.getByRole("heading", { name: "Publish your first report" }).waitFor();
    await settled(() => page.evaluate("document.activeElement.textContent"), "All reports");
    await undo(page, "5 reports deleted");
    await expectTitles(page, SIX.slice(0, 5));
    expect(await itemsOf(user)).toHaveLength(5);
  });

  test("leaving the page immediately deletes all or nothing", async () => {
    const counts = [];
    for (let round = 0; round < 5; round++) {
      const { user, page } = await openSix();
      await row(page, "One").focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.press("Delete");
      await page.goto("about:blank");
      // Database writes are sequential, so this comes after everything the page has sent.
      await scene.act.publish(user.token);
      counts.push((await itemsOf(user)).length - 1);
    }
    expect(counts.filter((count) => count !== 0 && count !== 6)).toEqual([]);
  });

  test("if one report can't be deleted, none is, and the page says why", async () => {
    const { user, names, page } = await openSix();
    await box(page, "Five").click();
    await box(page, "Four").click();
    await page.context().route("**/api/items/delete", async (route) => {
      await scene.act.deleteGroup(user.token, names[3] ?? "");
      await route.continue();
    });
    await bar(page).getByRole("button", { name: "Delete" }).click();
    await page.getByText("Couldn't delete the reports").waitFor();
    await page.getByText(`report "${names[3]}" not found`).waitFor();
    await expectTitles(page, ["Six", "Five", "Three", "Two", "One"]);
    expect(await itemsOf(user)).toHaveLength(5);
  });

  test("a report's menu copies links, renames and stars", async () => {
    const { page, names } = await openSix();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await row(page, "Two").locator("time").click({ button: "right" });
    const menu = page.getByRole("menu");
    await menu.getByRole("menuitem", { name: "Open live link in new tab" }).waitFor();
    await expectNoBarriers(page);
    await menu.getByRole("menuitem", { name: "Copy live link" }).click();
    await page.getByText("Live link copied").waitFor();
    expect(await copied()).toBe(`${scene.service.baseUrl}/${names[1]}/`);

    await row(page, "Two").getByRole("button", { name: "Actions for Two" }).click();
    await menu.getByRole("menuitem", { name: "Rename…" }).click();
    const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
    await name.fill("Not A Name");
    await page.getByText("Use 1 to 63 lowercase letters, digits and hyphens.").waitFor();
    await name.fill(names[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByText(/is taken|already/).waitFor();
    await expectNoBarriers(page);
    const renamed = `renamed-${crypto.randomUUID().slice(0, 8)}`;
    await name.fill(renamed);
    await page.keyboard.press("Enter");
    await row(page, "Two").getByText(renamed).waitFor();

    await row(page, "Two").focus();
    await page.keyboard.press("Shift+F10");
    await menu.getByRole("menuitem", { name: "Add to starred" }).click();
    await page.getByRole("link", { name: "Starred 1 report", exact: true }).waitFor();
    await row(page, "Two").getByRole("button", { name: "Star Two", pressed: true }).waitFor();
    await row(page, "Two").getByRole("button", { name: "Actions for Two" }).click();
    await menu.getByRole("menuitem", { name: "Remove from starred" }).waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });
    await row(page, "Two").getByRole("button", { name: "Actions for Two" }).click();
    await menu.getByRole("menuitem", { name: "Delete" }).click();
    await expectTitles(page, ["Six", "Five", "Four", "Three", "One"]);
    // The renamed report is the most recently updated.
    expect(await hasFocus(page, "Six")).toBe(true);
  });
});
