import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { addShortcutRoute } from "../../../src/client/routes.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { publishReport, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { cabinetOf, seenCabinet } from "./cabinet.ts";
import { openPortal } from "./portal.ts";

describeIf("the cabinet, by dragging", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  /** Waits until an element can be dragged: the code for it loads after the page. */
  const isDraggable = (what: Locator): Promise<void> =>
    settled(() => what.evaluate((element) => element.closest("[draggable=true]") !== null), true);

  /** Drags one element over another. */
  async function hold(page: Page, what: Locator, over: Locator): Promise<void> {
    await isDraggable(what);
    await settled(() => over.getAttribute("data-drop-target-for-element"), "true");
    await what.hover();
    await page.mouse.down();
    // The first move only starts the drag.
    await over.hover();
    await over.hover({ position: { x: 60, y: 12 } });
  }

  test("folders are dragged into drawers and to the root", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    await cabinet.drawer("Finance");
    await cabinet.drawer("Sales");
    const folder = await cabinet.folder("Inbox");
    await cabinet.folder("Outbox");
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { row, lines } = seenCabinet(page);
    await isDraggable(row("Inbox"));
    await row("Inbox").dragTo(row("Sales"));
    await settled(() => lines("Drawers and folders"), ["Finance", "Sales", ".Inbox", "Outbox"]);
    await row("Inbox").dragTo(row("Finance"));
    await settled(() => lines("Drawers and folders"), ["Finance", ".Inbox", "Sales", "Outbox"]);
    await row("Outbox").dragTo(row("Inbox"));
    await page.getByText("Folders can only be moved to a drawer or the root.").waitFor();
    await row("Inbox").dragTo(page.getByRole("button", { name: "Drawers and folders", exact: true }));
    await settled(() => lines("Drawers and folders"), ["Finance", "Sales", "Inbox", "Outbox"]);
    expect((await cabinet.taxonomy()).folders.find(({ id }) => id === folder)?.drawer_id).toBeNull();
    expect(visitor.troubles).toEqual([]);
  });

  test("tags are dragged below others, which expand on hover, but never below themselves", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    const year = await cabinet.tag("Year");
    await cabinet.tag("Month", await cabinet.tag("Quarter", year));
    await cabinet.tag("Closed");
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { row, lines, tags } = seenCabinet(page);
    await hold(page, row("Closed"), row("Year"));
    await row("Quarter").waitFor();
    await hold(page, row("Closed"), row("Quarter"));
    await settled(() => row("Quarter").getAttribute("data-hover"), "takes");
    await page.mouse.up();
    await settled(() => lines("Tags"), ["Year", ".Quarter", "..Closed", "..Month"]);

    await hold(page, row("Year"), row("Month"));
    await settled(() => row("Month").getAttribute("data-hover"), "refuses");
    await page.mouse.up();
    await page.getByText("A tag can't be moved below itself.").waitFor();
    await settled(() => lines("Tags"), ["Year", ".Quarter", "..Closed", "..Month"]);

    await row("Quarter").dragTo(page.getByRole("button", { name: "Tags", exact: true }));
    await settled(() => lines("Tags"), ["Quarter", ".Closed", ".Month", "Year"]);
    expect(await tags.getByRole("treeitem").first().getAttribute("aria-setsize")).toBe("2");
    expect(visitor.troubles).toEqual([]);
  });

  test("dropping reports files, tags and unfiles them, and can be undone", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    const drawer = await cabinet.drawer("Finance");
    const folder = await cabinet.folder("Inbox", drawer);
    await cabinet.tag("Weekly");
    const [first, second] = [uniqueName("alpha"), uniqueName("beta")];
    for (const name of [first, second]) {
      await publishReport(cabinet.api, { name, title: `Title of ${name}` });
    }
    await cabinet.api.call(addShortcutRoute, { body: { owner: user.slug, kind: "folder", ref: folder } });
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { row, shortcuts } = seenCabinet(page);
    const report = (name: string) => page.getByText(`Title of ${name}`).first();
    const counts = async () => {
      const { unfiled_count, untagged_count } = await cabinet.taxonomy();
      return [unfiled_count, untagged_count];
    };
    await report(first).waitFor();

    // A drawer accepts no reports but expands.
    await hold(page, report(first), row("Finance"));
    await settled(() => row("Finance").getAttribute("data-hover"), "refuses");
    await row("Inbox").waitFor();
    await row("Inbox").hover();
    await row("Inbox").hover({ position: { x: 60, y: 12 } });
    await page.mouse.up();
    await page.getByText("Moved 1 report to Inbox").waitFor();
    await page.getByRole("treeitem", { name: "Finance 1 report", exact: true }).waitFor();
    await page.getByRole("link", { name: "Unfiled 1 report", exact: true }).waitFor();
    expect(await counts()).toEqual([1, 2]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "Unfiled 2 reports", exact: true }).waitFor();

    await report(second).dragTo(shortcuts.getByRole("treeitem", { name: "Inbox" }));
    await row("Inbox").getByText("1 report").waitFor();
    await report(second).dragTo(page.getByRole("link", { name: "Unfiled" }));
    await page.getByText("Moved 1 report out of folders").waitFor();
    await row("Inbox").getByText("0 reports").waitFor();
    await report(first).dragTo(row("Weekly"));
    await page.getByText("Tagged 1 report with Weekly").waitFor();
    await page.getByRole("link", { name: "Untagged 1 report", exact: true }).waitFor();
    expect(await counts()).toEqual([2, 1]);

    await page.context().route("**/api/items/set-folder", (route) => route.abort());
    await report(first).dragTo(row("Inbox"));
    await page.getByText("Couldn't move the reports").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("a drop can be undone while the list is being fetched again", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    await cabinet.folder("Inbox");
    await publishReport(cabinet.api, { title: "First" });
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { row } = seenCabinet(page);
    const report = page.getByText("First").first();
    await isDraggable(report);
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route("**/api/search?**", async (route) => {
      asked.resolve();
      await released.promise;
      await route.continue();
    });
    await publishReport(cabinet.api, { title: "Second" });
    await asked.promise;
    await report.dragTo(row("Inbox"));
    await page.getByText("Moved 1 report to Inbox").waitFor();
    const unfiled = async () => (await cabinet.taxonomy()).unfiled_count;
    expect(await unfiled()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await settled(unfiled, 2);
    released.resolve();
    expect(visitor.troubles).toEqual([]);
  });
});
