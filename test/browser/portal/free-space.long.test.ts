import { expect, test } from "bun:test";
import { accountRoute } from "../../../src/contract/people/account.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { paste } from "./publishing.ts";
import { createReportScene, expectNoBarriers, pageWith } from "./report-scene.ts";

const KIBIBYTE = 1024;

describeIf("a full workspace", chromiumUnavailable(), () => {
  const scene = createReportScene(useService({ environment: { VITRINE_QUOTA_PRO: "1MB" } }));

  test("shows its largest reports when publishing fails, and publishes once enough is deleted", async () => {
    const { service, act } = scene;
    const user = await service.build.user();
    const filled = (title: string, kibibytes: number) =>
      act.publish(user.token, { files: [pageWith(title, "x".repeat(kibibytes * KIBIBYTE))] });
    await filled("Small", 20);
    await filled("Large", 600);
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}/publish` });
    await page.getByText("Drop files or a folder here").waitFor();
    await paste(page, { "text/plain": `<title>New</title>${"y".repeat(300 * KIBIBYTE)}` });
    await page.getByRole("button", { name: "Remove index.html" }).waitFor();

    // Something else takes the room meanwhile.
    await filled("Medium", 200);
    await page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).press("Enter");
    const section = page.getByRole("region", { name: "Free up space" });
    const titles = () => section.getByRole("link").allTextContents();
    await settled(titles, ["Large", "Medium", "Small"]);
    await section.getByText("600 kB · 1 version").waitFor();
    await expectNoBarriers(page);

    await section.getByRole("button", { name: "Delete Large" }).click();
    await page.getByText("1 report deleted").waitFor();
    await section.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("1 report restored").waitFor();
    await settled(titles, ["Large", "Medium", "Small"]);

    await section.getByRole("button", { name: "Delete Large" }).click();
    await section.waitFor({ state: "detached" });
    await page
      .getByRole("main")
      .getByRole("button", { name: /^(Publish|Try again)$/ })
      .click();
    await page.waitForURL(/\/-\/r\/[^/]+\?share=true$/);
    const { workspaces } = await service.client(user.token).call(accountRoute);
    expect(workspaces[0]?.stored_bytes).toBeLessThan(600 * KIBIBYTE);
  });

  test("lists them in its settings too, without a way to delete those of others", async () => {
    const { service, act } = scene;
    const { slug, owner, members } = await service.build.organization({ roles: ["member"] });
    const [member] = members;
    if (member === undefined) throw new Error("The organization has no member.");
    const files = [pageWith("Shared", "x".repeat(990 * KIBIBYTE))];
    await act.publish(owner.token, { visibility: "org", files });
    const page = await scene.visit({ email: `${member.slug}@example.org`, path: `/w/${slug}/settings` });
    const section = page.getByRole("region", { name: "Free up space" });
    await section.getByRole("link", { name: "Shared" }).waitFor();
    expect(await section.getByRole("button").count()).toBe(0);
    await expectNoBarriers(page);
  });
});
