import { expect, test } from "bun:test";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization, addPerson, rolesIn } from "../../support/people.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, focused, said } from "./people-scene.ts";

describeIf("the organizations page", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;

  test("an organization is created under an available short name and opened", async () => {
    const taken = await scene.service.build.organization();
    const person = await addPerson(scene.service);
    const page = await visit({ email: person.email, path: "/account/organizations" });
    await page.getByText("You don't belong to an organization yet.").waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    const [name, slug] = [page.getByLabel("Name", { exact: true }), page.getByLabel("Short name")];
    await name.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter a name." }).waitFor();
    await settled(() => focused(page), "Name");
    await name.fill("  Überlinger Zahlen & Co. ");
    expect(await slug.inputValue()).toBe("uberlinger-zahlen-co");
    await slug.fill("No!");
    await slug.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Use 1 to 39" }).waitFor();
    await slug.fill(taken.slug);
    await slug.press("Enter");
    await page.getByRole("alert").filter({ hasText: "is taken" }).waitFor();
    await settled(() => focused(page), "Short name");
    await expectNoBarriers(page);
    // A typed short name stays when the name changes.
    await name.fill("Zahlen");
    expect(await slug.inputValue()).toBe(taken.slug);
    const free = `${person.slug}-co`;
    await slug.fill(free);
    await slug.press("Enter");
    await page.waitForURL(`${scene.service.baseUrl}/-/w/${free}`);
    await page.getByRole("button", { name: /^Zahlen.*Switch workspace/ }).waitFor();
    expect(await rolesIn(scene.service, free)).toEqual({ [person.slug]: "owner" });
  });

  test("a member can leave, the last owner can't", async () => {
    const { member, owner, slug } = await addOrganization(scene.service);
    const page = await visit({ email: member.email, path: "/account/organizations" });
    const leave = page.getByRole("button", { name: `Leave The ${slug}` });
    await leave.click();
    await page.getByRole("dialog").getByText("lose access to its reports immediately").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await settled(() => focused(page), `Leave The ${slug}`);
    await leave.click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await said(page, `You left The ${slug}`);
    await page.getByText("You don't belong to an organization yet.").waitFor();
    await settled(() => focused(page), "Your organizations");
    expect((await rolesIn(scene.service, slug))[member.slug]).toBeUndefined();

    const last = await visit({ email: owner.email, path: "/account/organizations" });
    await last.getByRole("button", { name: `Leave The ${slug}` }).click();
    await last.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await last.getByRole("alert").filter({ hasText: "An organization needs at least one owner" }).waitFor();
    await expectNoBarriers(last);
    expect((await rolesIn(scene.service, slug))[owner.slug]).toBe("owner");
  });
});
