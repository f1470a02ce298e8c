import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { details, openReport } from "./open-report.ts";
import { choose, createReportScene, expectNoBarriers, framed, undo } from "./report-scene.ts";

describeIf("a report's page", chromiumUnavailable(), () => {
  const scene = createReportScene();

  test("a report is renamed, filed and tagged, in its menu and in place", async () => {
    const { user, page } = await openReport(scene);
    await framed(page, "Second").waitFor();
    const renamed = uniqueName("renamed");
    await choose(page, "More actions", "Rename…");
    await page.getByText("The current live link will stop working").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Not A Name");
    await page.getByText("Use 1 to 63 lowercase letters").waitFor();
    const { name: taken = "" } = await scene.act.publish(user.token, { name: uniqueName("taken") });
    await page.getByRole("textbox", { name: "Name" }).fill(taken);
    await page.keyboard.press("Enter");
    await page.getByText(/is taken/).waitFor();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(renamed);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/-/r/${renamed}`);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settled(() => page.evaluate("document.activeElement?.getAttribute('aria-label')"), "More actions");
    expect((await scene.act.group(user.token, renamed)).current_code).toBeString();

    await choose(page, "More actions", "Move to folder…");
    await page.getByRole("combobox", { name: "Folder" }).fill("Sales / 2026");
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    const place = page.getByRole("navigation", { name: "Location" });
    await place.getByRole("link", { name: "Sales / 2026" }).waitFor();
    await details(page).getByRole("button", { name: "Sales / 2026" }).click();
    await page.getByRole("combobox", { name: "Folder" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("option", { name: "No folder" }).click();
    await details(page).getByRole("button", { name: "No folder" }).waitFor();
    await undo(page, "Removed from its folder");
    await details(page).getByRole("button", { name: "Sales / 2026" }).waitFor();

    await details(page).getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("combobox", { name: "Tags" }).fill("weekly");
    await page.keyboard.press("Enter");
    await details(page).getByRole("link", { name: "weekly" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Tags" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "More actions" }).click();
    await expectNoBarriers(page);
    const upload = await page.getByRole("menuitem", { name: "Publish new version" }).getAttribute("href");
    expect(upload).toBe(`/-/w/${user.slug}/publish?name=${renamed}`);
  });

  test("deleting returns to the workspace and can be undone; the report's page says it is deleted", async () => {
    const { user, name, page } = await openReport(scene);
    await choose(page, "More actions", "Delete report and all versions");
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.getByText("1 report deleted").waitFor();
    expect((await scene.act.list(user.token)).groups).toEqual([]);
    await page.goBack();
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await framed(page, "Second").waitFor();
    expect((await scene.act.group(user.token, name)).versions.length).toBe(2);

    await choose(page, "More actions", "Delete report and all versions");
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.getByText("1 report deleted").waitFor();
    expect((await scene.act.list(user.token)).groups).toEqual([]);
  });
});
