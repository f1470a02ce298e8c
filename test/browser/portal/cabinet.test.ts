import { expect, test } from "bun:test";
import type { Route } from "playwright-core";
import { addShortcutRoute, tagItemsRoute } from "../../../src/client/routes.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { publishReport, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { cabinetOf, seenCabinet } from "./cabinet.ts";
import { findBarriers, openPortal } from "./portal.ts";
import { refuseUntilClicked, undo } from "./report-scene.ts";

describeIf("the cabinet, by pointer", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  test("entries are created, renamed and deleted", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const seen = seenCabinet(page);
    for (const line of ["No drawers yet", "No tags yet"]) await page.getByText(line).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("button", { name: "New drawer or folder" }).click();
    await page.getByRole("menuitem", { name: "New drawer" }).click();
    const drawerField = page.getByRole("textbox", { name: "Name of the new drawer" });
    await drawerField.press("Enter");
    await page.getByText("Enter a name").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await drawerField.fill("Finance");
    await drawerField.press("Enter");
    await seen.row("Finance").waitFor();

    await seen.choose("Finance", "New folder");
    await page.getByRole("textbox", { name: "Name of the new folder" }).fill("2026");
    await page.getByRole("textbox", { name: "Name of the new folder" }).press("Enter");
    await settled(() => seen.lines("Drawers and folders"), ["Finance", ".2026"]);

    await page.getByRole("button", { name: "New tag" }).click();
    await page.getByRole("textbox", { name: "Name of the new tag" }).fill("Quarterly");
    await page.getByRole("heading", { level: 1 }).click();
    await seen.row("Quarterly").waitFor();
    await seen.choose("Quarterly", "New subtag");
    await page.keyboard.type("Q1");
    await page.keyboard.press("Enter");
    await settled(() => seen.lines("Tags"), ["Quarterly", ".Q1"]);

    await seen.row("2026").dblclick();
    const field = page.getByRole("textbox", { name: "New name of 2026" });
    await field.fill("x".repeat(121));
    await field.press("Enter");
    await page.getByText("At most 120 characters").waitFor();
    await field.fill("2027");
    await field.press("Enter");
    await settled(() => seen.lines("Drawers and folders"), ["Finance", ".2027"]);

    await seen.choose("Finance", "Delete…");
    await page.getByText("Its 1 folder will move to the root. Reports aren't deleted.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await settled(() => seen.lines("Drawers and folders"), ["2027"]);
    await seen.choose("Quarterly", "Delete…");
    await page.getByText("The 1 tag below it will be deleted too. Reports aren't deleted.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No tags yet").waitFor();
    expect((await cabinetOf(service, user).taxonomy()).folders.map(({ title }) => title)).toEqual(["2027"]);
    expect(visitor.troubles).toEqual([]);
  });

  test("entries filter the list and follow counts changed by others", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    const folder = await cabinet.folder("Inbox", await cabinet.drawer("Finance"));
    const weekly = await cabinet.tag("Weekly");
    const sales = await cabinet.tag("Sales", weekly);
    const name = uniqueName();
    await publishReport(cabinet.api, { name });
    await cabinet.api.call(tagItemsRoute, { body: { items: [{ name }], add: [sales] } });
    await using visitor = await openPortal(browser, service, user.email, {
      path: `/w/${user.slug}?sort=title&view=gallery`,
    });
    const { page } = visitor;
    const seen = seenCabinet(page);
    const search = () => Object.fromEntries(new URL(page.url()).searchParams);
    await page.getByRole("link", { name: "Unfiled 1 report", exact: true }).waitFor();

    await cabinet.file(name, folder);
    await page.getByRole("link", { name: "Unfiled 0 reports" }).waitFor();
    await page.getByRole("treeitem", { name: "Finance 1 report", exact: true }).click();
    await settled(async () => search(), {
      drawer: (await cabinet.taxonomy()).drawers[0]?.id,
      sort: "title",
      view: "gallery",
    });
    await seen.row("Finance").getByRole("button", { name: "Expand Finance" }).click();
    await seen.row("Inbox").click();
    await settled(async () => search(), { folder, sort: "title", view: "gallery" });
    expect(await page.locator("[aria-current=page]").count()).toBe(1);
    expect(await seen.row("Inbox").getAttribute("aria-current")).toBe("page");

    await seen.row("Weekly").click();
    await settled(async () => search(), { tags: JSON.stringify([weekly]), sort: "title", view: "gallery" });
    await seen.choose("Weekly", "Show only this tag");
    await settled(async () => search(), {
      tags: JSON.stringify([weekly]),
      within: "tag",
      sort: "title",
      view: "gallery",
    });
    await seen.row("Weekly").getByRole("button", { name: "Expand Weekly" }).click();
    await seen.row("Weekly").click();
    await seen.choose("Sales", "Add to filter");
    await settled(async () => search(), { tags: JSON.stringify([weekly, sales]), sort: "title", view: "gallery" });
    await seen.choose("Weekly", "Remove from filter");
    await settled(async () => search(), { tags: JSON.stringify([sales]), sort: "title", view: "gallery" });

    // Deleting the filtered tag clears the filter.
    await seen.choose("Sales", "Delete…");
    await page.getByText("The tag will be deleted. 1 report will lose it. Reports aren't deleted.").waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await settled(async () => search(), { sort: "title", view: "gallery" });
    await page.getByRole("link", { name: "Untagged 1 report" }).click();
    await settled(async () => search(), { tags: JSON.stringify(["none"]), sort: "title", view: "gallery" });
    expect(visitor.troubles).toEqual([]);
  });

  test("shortcuts, the default folder and expanded entries persist", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    const drawer = await cabinet.drawer("Finance");
    await cabinet.folder("Inbox", drawer);
    const name = uniqueName();
    await publishReport(cabinet.api, { name, title: "Weekly figures" });
    await cabinet.api.call(addShortcutRoute, { body: { owner: user.slug, kind: "group", ref: name } });
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const seen = seenCabinet(page);
    await seen.row("Finance").getByRole("button", { name: "Expand Finance" }).click();
    await seen.choose("Inbox", "Set as default folder");
    await seen.row("Inbox default").waitFor();
    await seen.choose("Inbox", "Add to shortcuts");
    await settled(() => seen.lines("Shortcuts"), ["Inbox"]);
    await page.getByRole("link", { name: "Starred 1 report", exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await publishReport(cabinet.api);
    await seen.row("Inbox default").getByText("1 report").waitFor();

    await page.reload();
    await settled(() => seen.lines("Drawers and folders"), ["Finance", ".Inbox"]);
    await page.getByRole("button", { name: "Drawers and folders", exact: true }).click();
    await seen.folders.waitFor({ state: "detached" });
    await page.reload();
    await seen.shortcuts.waitFor();
    expect(await seen.folders.count()).toBe(0);

    await seen.shortcuts.getByRole("treeitem", { name: "Inbox" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Remove from shortcuts" }).click();
    await seen.shortcuts.waitFor({ state: "detached" });
    await undo(page, "Removed from shortcuts");
    await settled(() => seen.lines("Shortcuts"), ["Inbox"]);
    await seen.shortcuts.getByRole("treeitem", { name: "Inbox" }).click();
    await settled(() => seen.shortcuts.getByRole("treeitem", { name: "Inbox" }).getAttribute("aria-current"), "page");
    expect(visitor.troubles).toEqual([]);
  });

  test("a cabinet that fails to load says so and can be retried", async () => {
    const user = await service.build.user();
    await cabinetOf(service, user).tag("Weekly");
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const refuse = (route: Route) => route.fulfill({ status: 429, json: { error: "Try later." } });
    await page.route("**/api/taxonomy*", refuse);
    await page.reload();
    const alert = page.getByRole("alert").filter({ hasText: "Couldn't load the cabinet" });
    await alert.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await refuseUntilClicked(page, "**/api/taxonomy*", "Try later.", 429);
    await page.unroute("**/api/taxonomy*", refuse);
    await alert.getByRole("button", { name: "Try again" }).click();
    await seenCabinet(page).row("Weekly").waitFor();
  });
});
