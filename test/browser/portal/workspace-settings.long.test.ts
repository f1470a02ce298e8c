import { expect, test } from "bun:test";
import { actionsOf } from "../../hosts/app/actions.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization } from "../../support/people.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, said } from "./people-scene.ts";

describeIf("the settings of a workspace", chromiumUnavailable(), () => {
  const scene = createPeopleScene(useService({ environment: { VITRINE_QUOTA_FREE: "1KB" } }));
  const { visit } = scene;

  test("owners and admins rename an organization for everyone", async () => {
    const { slug, admin, member } = await addOrganization(scene.service);
    const page = await visit({ email: admin.email, path: `/w/${slug}/settings` });
    const other = await visit({ email: member.email, path: `/w/${slug}/settings` });
    const name = page.getByLabel("Name", { exact: true });
    await name.waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    await other.getByText(`The ${slug}`).last().waitFor();
    expect(await other.getByLabel("Name", { exact: true }).count()).toBe(0);
    await expectNoBarriers(other);
    await name.fill("Analytics");
    await name.press("Enter");
    await said(page, "Name saved");
    await other.getByRole("button", { name: /^Analytics/ }).waitFor();
    await page.getByRole("button", { name: /^Analytics/ }).waitFor();
    expect(await page.title()).toBe("Settings of Analytics · Vitrine");
  });

  test("usage is shown, with warnings when nearly full and full", async () => {
    const user = await scene.service.build.user({ plan: "free" });
    const act = actionsOf(scene.service);
    const fill = (bytes: number) =>
      act.publish(user.token, { files: [{ path: "index.html", content: "x".repeat(bytes) }] });
    const page = await visit({ email: user.email, path: `/w/${user.slug}/settings` });
    await page.getByRole("heading", { name: "Free plan" }).waitFor();
    await page.getByText("One version per report").waitFor();
    await page.getByText("0 bytes of 1 kB used (0 %)").waitFor();
    expect(await page.getByRole("main").getByRole("alert").count()).toBe(0);
    await fill(950);
    await page.reload();
    await page.getByText("950 bytes of 1 kB used (93 %)").waitFor();
    await page.getByText("The workspace is nearly full. 74 bytes left.").waitFor();
    expect(await page.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("93");
    await expectNoBarriers(page);
    await fill(74);
    await page.reload();
    await page.getByText("The workspace is full").waitFor();
    await expectNoBarriers(page);
  });

  test("new reports are filed in the default upload folder", async () => {
    const user = await scene.service.build.user();
    const page = await visit({ email: user.email, path: `/w/${user.slug}/settings` });
    await page.getByText("No default. New reports stay unfiled.").waitFor();
    await page.getByRole("button", { name: "Choose folder" }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("Sales / 2026");
    await page.getByRole("option", { name: /Sales/ }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Enter");
    await said(page, "New reports will be filed in this folder");
    await page.getByText("Sales / 2026").waitFor();
    const act = actionsOf(scene.service);
    await act.publish(user.token);
    expect((await act.list(user.token)).standalone).toMatchObject([{ folder: "Sales/2026" }]);
    await page.getByRole("button", { name: "Choose folder" }).click();
    await page.getByRole("option", { name: "No folder" }).click();
    await page.getByText("No default. New reports stay unfiled.").waitFor();
    await act.publish(user.token);
    expect((await act.list(user.token)).standalone).toMatchObject([{ folder: null }, { folder: "Sales/2026" }]);
  });
});
