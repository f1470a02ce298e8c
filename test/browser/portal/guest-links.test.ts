import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { guestsOf } from "../../hosts/app/sharing/guests.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { shareDialog } from "./publishing.ts";
import { createReportScene, expectNoBarriers, focusedText, pageWith } from "./report-scene.ts";

describeIf("guest links in the portal", chromiumUnavailable(), () => {
  const scene = createReportScene();

  async function openDialog() {
    const user = await scene.service.build.user();
    const name = uniqueName();
    await scene.act.publish(user.token, { name, files: [pageWith("Figures")] });
    const page = await scene.visit({
      email: user.email,
      path: `/r/${name}?share=true`,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const links = shareDialog(page).getByRole("region", { name: "Guest links" });
    await links.getByRole("button", { name: "New link" }).waitFor();
    return { user, name, page, links };
  }

  const clipboard = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()");

  test("the owner creates a link, copies it, sees it opened, changes and revokes it", async () => {
    const { user, name, page, links } = await openDialog();
    const guests = guestsOf(scene.service);
    await links.getByRole("button", { name: "New link" }).click();
    await links.getByLabel("Label").fill("Board meeting");
    await links.getByRole("checkbox", { name: "Allow embedding" }).check();
    await links.getByRole("textbox", { name: "Sites" }).fill("www.notion.so\nhttps://grafana.example.org/d/1");
    expect(await links.getByRole("checkbox", { name: "Only for certain email addresses" }).isDisabled()).toBe(true);
    await expectNoBarriers(page);
    await links.getByRole("checkbox", { name: "Ask for a password" }).check();
    await links.getByLabel("Password", { exact: true }).fill("short");
    await links.getByRole("button", { name: "Create link" }).click();
    await links.getByText("Password must have at least 10 characters").waitFor();
    await links.getByRole("checkbox", { name: "Ask for a password" }).uncheck();
    await links.getByRole("button", { name: "Create link" }).click();
    await links.getByText("It won't be shown again").waitFor();
    await expectNoBarriers(page);
    await links.getByRole("button", { name: "Copy guest link" }).click();
    await links.getByText("Copied").first().waitFor();
    const url = await clipboard(page);
    expect(url).toStartWith(`${scene.service.baseUrl}/s/`);
    expect(await links.getByLabel("Embed code").inputValue()).toContain(`<iframe src="${url}"`);
    await links.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(url);
    await links.getByText("Board meeting").waitFor();
    await links.getByText("Never opened").waitFor();
    await links.getByText("embedded at www.notion.so").waitFor();
    expect(await guests.list(user.token, { name })).toMatchObject([
      { label: "Board meeting", embed_origins: ["https://www.notion.so", "https://grafana.example.org"] },
    ]);

    await guests.opened(url);
    // Another replica counts openings after a few seconds.
    const reload = async () => {
      await page.reload();
      await links.getByText("embedded at").waitFor();
      return links.getByText("Opened once").isVisible();
    };
    await until(reload);
    await links.getByRole("button", { name: "Edit Board meeting" }).click();
    await links.getByLabel("Label").fill("Auditors");
    await links.getByLabel("Expires").selectOption({ label: "Never" });
    await links.getByRole("button", { name: "Save" }).click();
    await links.getByText("Auditors").waitFor();
    expect(await guests.list(user.token, { name })).toMatchObject([{ label: "Auditors", expires_at: null }]);

    await links.getByRole("button", { name: "Revoke Auditors" }).click();
    const confirmation = page.getByRole("dialog", { name: "Revoke the guest link “Auditors”?" });
    await expectNoBarriers(page);
    await confirmation.getByRole("button", { name: "Revoke" }).click();
    await confirmation.waitFor({ state: "hidden" });
    await links.getByText("Auditors").waitFor({ state: "detached" });
    expect((await guests.page(url)).status).toBe(404);
  });

  test("the keyboard alone creates a link", async () => {
    const { user, name, page, links } = await openDialog();
    await links.getByRole("button", { name: "New link" }).focus();
    await page.keyboard.press("Enter");
    await links.getByLabel("Label").waitFor();
    await page.keyboard.type("By hand");
    await page.keyboard.press("Enter");
    await links.getByText("It won't be shown again").waitFor();
    await links.getByRole("button", { name: "Done" }).focus();
    await page.keyboard.press("Enter");
    await links.getByText("By hand").waitFor();
    expect(await focusedText(page)).toContain("Guest links");
    expect(await guestsOf(scene.service).list(user.token, { name })).toHaveLength(1);
  });
});
