import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { trashActionsOf } from "../../hosts/app/trash/trash-actions.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers } from "./people-scene.ts";
import { undo } from "./report-scene.ts";

/** Waits for a notification of success. */
const told = (page: Page, message: string) => page.getByRole("status").filter({ hasText: message }).last().waitFor();

describeIf("the trash page", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;

  test("restores, restores under another name, and purges", async () => {
    const user = await scene.service.build.user();
    const act = trashActionsOf(scene.service);
    const names = [uniqueName(), uniqueName(), uniqueName()];
    const [one = "", two = "", three = ""] = names;
    for (const name of names) await act.publish(user.token, { name });
    await act.deleteItems(
      user.token,
      names.map((name) => ({ name })),
    );
    await act.publish(user.token, { name: two });
    const page = await visit({ email: user.email, path: `/w/${user.slug}` });
    await page.getByRole("link", { name: "Trash" }).click();
    await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
    const rows = page.getByRole("listitem").filter({ hasText: "Deleted by" });
    await rows.nth(2).waitFor();
    await page.getByText("30 days left").first().waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    await page.getByRole("button", { name: `Restore ${one}` }).press("Enter");
    await told(page, `${one} restored`);
    expect((await act.group(user.token, one)).versions).toHaveLength(1);
    await undo(page, `${one} restored`);
    await page.getByLabel(`Select ${one}`).check();
    await page.getByRole("button", { name: "Restore 1 entry" }).press("Enter");
    await page.getByLabel(`Select ${one}`).waitFor({ state: "detached" });
    expect((await act.group(user.token, one)).versions).toHaveLength(1);
    await page.getByRole("button", { name: `Restore ${two}` }).press("Enter");
    await expectNoBarriers(page);
    expect(await page.getByRole("textbox", { name: "Name" }).inputValue()).toBe(`${two}-2`);
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await told(page, `${two}-2 restored`);
    await page.getByRole("button", { name: `Delete permanently ${three}` }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete permanently" }).click();
    await told(page, "1 entry deleted permanently");
    await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
    await expectNoBarriers(page);
    expect((await act.trash(user.token, { owner: user.slug })).entries).toEqual([]);
  });

  test("a version is protected, and a deleted one comes back by undo", async () => {
    const user = await scene.service.build.user();
    const act = trashActionsOf(scene.service);
    const name = uniqueName();
    await act.publishVersions(user.token, name, 2);
    const page = await visit({ email: user.email, path: `/r/${name}?panel=versions` });
    const choose = async (version: number, item: string) => {
      await page.getByRole("button", { name: `Actions for version ${version}` }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose(2, "Protect from deletion");
    await told(page, "Version 2 is protected from deletion");
    await page.getByRole("listitem").filter({ hasText: "Version 2" }).getByText("Protected").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Actions for version 2" }).click();
    expect(await page.getByRole("menuitem", { name: "Delete…" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await choose(1, "Delete…");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await told(page, "Version 1 deleted");
    await undo(page, "Version 1 deleted");
    await page.getByRole("button", { name: "Actions for version 1" }).waitFor();
    expect((await act.group(user.token, name)).versions).toHaveLength(2);
  });

  test("a retention rule is previewed, set and removed", async () => {
    const user = await scene.service.build.user();
    const act = trashActionsOf(scene.service);
    const name = uniqueName();
    await act.publishVersions(user.token, name, 4);
    const page = await visit({ email: user.email, path: `/w/${user.slug}/settings` });
    await page.getByText("No rules. All versions are kept.").waitFor();
    await page.getByRole("button", { name: "Set rule" }).press("Enter");
    await page.getByLabel("Keep the newest versions").fill("2");
    await page.getByLabel("Keep versions younger than, in days").fill("");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText(/This rule moves 2 versions of 1 report/).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("dialog").getByRole("button", { name: "Set rule" }).click();
    await page.getByText("Keeps the newest 2 versions of each report").waitFor();
    expect((await act.retention(user.token, user.slug)).rules).toMatchObject([{ keep: 2, days: null }]);
    await page.getByRole("button", { name: "Remove the rule for Whole workspace" }).press("Enter");
    await page.getByText("No rules. All versions are kept.").waitFor();
  });
});
