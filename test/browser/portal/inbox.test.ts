import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization } from "../../support/people.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { createReportScene, expectNoBarriers, expectNoSidewaysScroll, pageWith } from "./report-scene.ts";

const SHOTS = process.env.VITRINE_TEST_SHOTS;

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
}

describeIf("inbox", chromiumUnavailable(), () => {
  const scene = createReportScene();

  test("a mention is counted at once, listed, and read once its thread is opened", async () => {
    const { slug, owner, member } = await addOrganization(scene.service);
    const name = uniqueName();
    await scene.act.publish(owner.token, {
      name,
      owner: slug,
      title: "Weekly sales",
      visibility: "org",
      files: [pageWith("Weekly")],
    });
    const page = await scene.visit({ email: member.email, path: "/inbox" });
    await page.getByText("No comments yet").waitFor();
    await shoot(page, "inbox-empty");
    const response = await fetch(`${scene.service.baseUrl}/api/comments/create`, {
      method: "POST",
      headers: { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ name, text: `@${member.slug} Are these figures final?` }),
    });
    expect(await response.text()).toContain("figures");

    await page.getByRole("link", { name: "Inbox 1 unread" }).waitFor();
    const entry = page.getByRole("list", { name: "Inbox" }).getByRole("link", { name: /^Unread: .* mentioned you on/ });
    await entry.waitFor();
    await page.getByText("Are these figures final?").waitFor();
    await expectNoBarriers(page);
    await expectNoSidewaysScroll(page);
    await shoot(page, "inbox");

    await entry.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: "Comments" });
    await panel.locator("article:focus", { hasText: "Are these figures final?" }).waitFor();
    await page.getByRole("link", { name: "Inbox", exact: true }).waitFor();
    await shoot(page, "inbox-thread");
  });
});
