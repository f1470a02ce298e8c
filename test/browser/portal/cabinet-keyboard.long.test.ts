import { expect, test } from "bun:test";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { pause, settled } from "../../support/until.ts";
import { cabinetOf, seenCabinet } from "./cabinet.ts";
import { findBarriers, openPortal } from "./portal.ts";

describeIf("the cabinet, by keyboard alone", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  test("arrow keys move, expand, collapse and follow entries", async () => {
    const user = await service.build.user();
    const cabinet = cabinetOf(service, user);
    const finance = await cabinet.drawer("Finance");
    const folder = await cabinet.folder("Invoices", finance);
    await cabinet.folder("Ideas", finance);
    await cabinet.drawer("Sales");
    await cabinet.folder("Inbox");
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { row, lines, focused } = seenCabinet(page);
    await row("Finance").focus();
    const press = async (keys: string, expected: string) => {
      for (const key of keys.split(" ")) await page.keyboard.press(key);
      await settled(focused, expected);
    };
    await press("ArrowDown", "Sales");
    await press("End", "Inbox");
    await press("Home", "Finance");
    await press("ArrowRight ArrowRight", "Ideas");
    expect(await row("Finance").getAttribute("aria-expanded")).toBe("true");
    await press("ArrowDown", "Invoices");
    await press("ArrowLeft", "Finance");
    await press("i", "Ideas");
    await press("n", "Invoices");
    await press("b", "Inbox");
    // Long enough to start a new type-ahead word.
    await pause(800, "a window of the page");
    await press("i", "Ideas");
    await press("ArrowDown Enter", "Invoices");
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}?folder=${folder}`);
    expect(await row("Invoices").getAttribute("aria-current")).toBe("page");
    await press("ArrowLeft ArrowLeft", "Finance");
    await settled(() => lines("Drawers and folders"), ["Finance", "Sales", "Inbox"]);

    // A tree is one tab stop, at the row used last.
    await press("Tab Shift+Tab", "Finance");
    expect(visitor.troubles).toEqual([]);
  });

  test("entries are created, renamed, moved and deleted without losing the focus", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { keyboard } = page;
    const { lines, focused } = seenCabinet(page);
    await page.getByRole("button", { name: "New drawer or folder" }).focus();
    await keyboard.press("Enter");
    await settled(focused, "New drawer");
    await keyboard.press("Escape");
    await settled(focused, "New drawer or folder");
    await keyboard.press("Enter");
    await settled(focused, "New drawer");
    await keyboard.press("Enter");
    await settled(focused, "Name of the new drawer");
    await keyboard.press("Escape");
    await settled(focused, "Drawers and folders");
    for (const title of ["Finance", "Sales"]) {
      await page.getByRole("button", { name: "New drawer or folder" }).press("Enter");
      await settled(focused, "New drawer");
      await keyboard.press("Enter");
      await settled(focused, "Name of the new drawer");
      await keyboard.type(title);
      await keyboard.press("Enter");
      await settled(focused, title);
    }

    /** Waits until the menu is positioned and at rest, because it takes the focus again then. */
    async function menuIsReady(): Promise<void> {
      await page.getByRole("menuitem", { name: "Set as default folder" }).click({ trial: true });
      await settled(focused, "Set as default folder");
    }

    await keyboard.press("Shift+F10");
    await settled(focused, "New folder");
    await keyboard.press("Escape");
    await settled(focused, "Sales");
    await keyboard.press("ContextMenu");
    await settled(focused, "New folder");
    await keyboard.press("Enter");
    await settled(focused, "Name of the new folder");
    await keyboard.type("2026");
    await keyboard.press("Enter");
    await settled(focused, "2026");
    await settled(() => lines("Drawers and folders"), ["Finance", "Sales", ".2026"]);

    await keyboard.press("F2");
    await settled(focused, "New name of 2026");
    await keyboard.type("2027");
    await keyboard.press("Escape");
    await settled(focused, "2026");
    await keyboard.press("F2");
    await keyboard.type("2027");
    await keyboard.press("Enter");
    await settled(focused, "2027");

    await keyboard.press("Shift+F10");
    await menuIsReady();
    await keyboard.type("mo");
    await settled(focused, "Move to…");
    await keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Move to" }).waitFor();
    await page.getByRole("option", { name: "Sales It's already here." }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await keyboard.press("Escape");
    await settled(focused, "2027");
    await keyboard.press("Shift+F10");
    await menuIsReady();
    await page.getByRole("menuitem", { name: "Move to…" }).press("Enter");
    await page.getByRole("combobox", { name: "Move to" }).and(page.locator(":focus")).waitFor();
    await keyboard.type("fin");
    await page.getByRole("option", { name: "Sales" }).waitFor({ state: "detached" });
    await keyboard.press("Enter");
    await settled(focused, "2027");
    await settled(() => lines("Drawers and folders"), ["Finance", ".2027", "Sales"]);

    await keyboard.press("Delete");
    await page.getByText("The folder is empty. Reports aren't deleted.").waitFor();
    await keyboard.press("Escape");
    await settled(focused, "2027");
    await keyboard.press("Delete");
    await settled(focused, "Delete");
    await keyboard.press("Enter");
    await settled(focused, "Sales");
    for (const [title, next] of [
      ["Sales", "Finance"],
      ["Finance", "Drawers and folders"],
    ]) {
      await settled(focused, title);
      await keyboard.press("Delete");
      await settled(focused, "Delete");
      await keyboard.press("Enter");
      await settled(focused, next);
    }
    expect(visitor.troubles).toEqual([]);
  });

  test("the palette creates entries", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    const { lines, focused } = seenCabinet(page);
    await page.getByText("No tags yet").waitFor();
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).fill("new tag");
    await page.getByRole("option", { name: "New tag", exact: true }).click();
    await settled(focused, "Name of the new tag");
    await page.keyboard.type("Weekly");
    await page.keyboard.press("Enter");
    await settled(() => lines("Tags"), ["Weekly"]);
    expect(visitor.troubles).toEqual([]);
  });
});
