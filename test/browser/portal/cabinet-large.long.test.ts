import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { foldText } from "../../../src/domain/search/search-text.ts";
import { connectTo } from "../../store/support.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { cabinetOf, seenCabinet } from "./cabinet.ts";
import { findBarriers, openPortal } from "./portal.ts";

const range = (length: number) => Array.from({ length }, (_, index) => index);

describeIf("a large cabinet, and a small screen", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  /** A thousand folders in and beside fifty drawers, and five thousand tags, all below a hundred. */
  async function fill(slug: string): Promise<void> {
    const rows = connectTo(service.database);
    const { id: workspace_id } = await rows
      .selectFrom("workspaces")
      .select("id")
      .where("slug", "=", slug)
      .executeTakeFirstOrThrow();
    const titled = (id: string, title: string) => ({
      id,
      workspace_id,
      title,
      search_title: foldText(title),
      created_at: 1_750_000_000_000,
    });
    const number = (index: number) => String(index).padStart(4, "0");
    await rows.transaction().execute(async (transaction) => {
      const drawers = range(50).map((index) => titled(`drw_${index}`, `Drawer ${number(index)}`));
      await transaction.insertInto("drawers").values(drawers).execute();
      for (const start of range(2)) {
        const folders = range(500).map((offset) => {
          const index = start * 500 + offset;
          return {
            ...titled(`fld_${index}`, `Folder ${number(index)}`),
            drawer_id: index % 5 === 0 ? null : `drw_${index % 50}`,
          };
        });
        await transaction.insertInto("folders").values(folders).execute();
      }
      for (const start of range(10)) {
        const tags = range(500).map((offset) => {
          const index = start * 500 + offset;
          return {
            ...titled(`tag_${index}`, `Tag ${number(index)}`),
            parent_id: index < 100 ? null : `tag_${index % 100}`,
          };
        });
        await transaction.insertInto("tags").values(tags).execute();
      }
    });
    await rows.destroy();
  }

  const isInSight = (row: Locator) =>
    row.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 0 && bottom <= element.ownerDocument.documentElement.clientHeight;
    });

  test("a thousand folders and five thousand tags are expanded, walked, filtered and scrolled", async () => {
    const user = await service.build.user();
    await fill(user.slug);
    await using visitor = await openPortal(browser, service, user.email, { path: `/w/${user.slug}?tags=["tag_4242"]` });
    const { page } = visitor;
    const { row, tags, folders, focused } = seenCabinet(page);
    // The entry in the address is visible, with its ancestors expanded.
    await row("Tag 4242").waitFor();
    expect(await isInSight(row("Tag 4242"))).toBe(true);
    expect(await page.getByRole("treeitem").count()).toBeLessThan(150);
    expect(await findBarriers(page)).toEqual([]);

    await row("Tag 4242").focus();
    await page.keyboard.press("End");
    await settled(focused, "Tag 0099");
    expect(await isInSight(row("Tag 0099"))).toBe(true);
    await page.keyboard.press("Home");
    await settled(focused, "Tag 0000");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await settled(focused, "Tag 0100");
    expect(await row("Tag 0100").getAttribute("aria-setsize")).toBe("49");

    await row("Tag 0100").hover();
    await page.mouse.wheel(0, -100_000);
    await row("Drawer 0000").waitFor();
    // It keeps the focus off screen.
    await settled(focused, "Tag 0100");
    await page.getByRole("searchbox", { name: "Filter drawers and folders" }).fill("0777");
    await settled(() => folders.getByRole("treeitem").count(), 2);
    await row("Folder 0777").click();
    await page.waitForURL(/folder=fld_777/);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("searchbox", { name: "Filter drawers and folders" }).press("Escape");
    await page.getByRole("searchbox", { name: "Filter tags" }).fill("no such tag");
    await page.getByText("No matches").waitFor();
    await page.getByRole("searchbox", { name: "Filter tags" }).press("Escape");
    await tags.waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("everything can be tapped on a phone", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    await cabinet.drawer("Finance");
    await cabinet.folder("Inbox");
    await cabinet.tag("Weekly");
    await using visitor = await openPortal(browser, service, user.email, {
      viewport: { width: 390, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    const { page } = visitor;
    const { row, lines } = seenCabinet(page);
    await page.getByRole("button", { name: "Open sidebar" }).tap();
    await row("Inbox").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    for (const target of [
      row("Inbox").getByRole("link"),
      page.getByRole("button", { name: "Actions for Inbox" }),
      page.getByRole("button", { name: "New tag" }),
    ]) {
      const box = await target.boundingBox();
      expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(40);
    }

    await page.getByRole("button", { name: "Actions for Inbox" }).tap();
    await page.getByRole("menuitem", { name: "Move to…" }).tap();
    await page.getByRole("option", { name: "Finance" }).tap();
    await settled(() => lines("Drawers and folders"), ["Finance", ".Inbox"]);
    await page.getByRole("button", { name: "Actions for Weekly" }).tap();
    await page.getByRole("menuitem", { name: "Rename" }).tap();
    const field = page.getByRole("textbox", { name: "New name of Weekly" });
    await field.fill("Monthly");
    expect(await findBarriers(page)).toEqual([]);
    await field.press("Enter");
    await settled(() => lines("Tags"), ["Monthly"]);
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);

    await row("Monthly").getByRole("link").tap();
    await page.waitForURL(/tags=/);
    await page.getByRole("button", { name: "Open sidebar" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });
});
