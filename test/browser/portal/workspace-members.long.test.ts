import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization, addPerson, buildAccount, rolesIn } from "../../support/people.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, focused, said } from "./people-scene.ts";

describeIf("the members page", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit, visitUnknown } = scene;
  const pathOf = ({ slug }: { slug: string }) => `/w/${slug}/members`;
  const member = (page: Page, name: string) =>
    page.getByRole("list", { name: "Members" }).getByRole("listitem").filter({ hasText: name });
  const dialog = (page: Page) => page.getByRole("dialog");

  test("an invited person creates an account, appears immediately, and is removed", async () => {
    const organization = await addOrganization(scene.service);
    const page = await visit({
      email: organization.owner.email,
      path: pathOf(organization),
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.getByText(`You are an owner of The ${organization.slug}.`).waitFor();
    await page.getByText("No pending invitations. Use “Invite people” to create one.").waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    await page.getByRole("button", { name: "Invite people" }).press("Enter");
    await dialog(page).waitFor();
    await expectFitForPhones(page);
    await dialog(page).getByLabel("Email address").fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: `Email address "nobody" isn't` }).waitFor();
    await dialog(page).getByLabel("Email address").fill("grace@example.org");
    await dialog(page).getByLabel("Role").selectOption("Admin");
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Invitation link", { exact: true });
    const link = await field.inputValue();
    expect(link).toMatch(/\/-\/invitation\?token=\w{32}$/);
    await dialog(page).getByText("send it to grace@example.org").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Copy invitation link" }).click();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(link);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("listitem").filter({ hasText: "grace@example.org" }).filter({ hasText: "Admin" }).waitFor();

    const guest = await visitUnknown(link);
    const account = buildAccount({ email: "grace@example.org", name: "Grace" });
    await guest.getByLabel("Username").fill(account.slug);
    await guest.getByLabel("Name Shown to other people").fill("Grace");
    await guest.getByLabel("Password").fill(account.password ?? "");
    await guest.getByRole("button", { name: "Create account and join" }).click();
    await guest.waitForURL(`${scene.service.baseUrl}/-/w/${organization.slug}`);
    // The owner's page updates.
    await member(page, "Grace").waitFor();
    await page.getByText("No pending invitations. Use “Invite people” to create one.").waitFor();

    await guest.goto(`${scene.service.baseUrl}/-/organizations/${organization.slug}`);
    await guest.getByText(`You are an admin of The ${organization.slug}.`).waitFor();
    await page.getByRole("button", { name: "Remove Grace" }).click();
    await dialog(page).getByText("lose access immediately").waitFor();
    await expectNoBarriers(page);
    await dialog(page).getByRole("button", { name: "Remove" }).click();
    await said(page, "Grace removed");
    await member(page, "Grace").waitFor({ state: "detached" });
    await dialog(page).waitFor({ state: "detached" });
    await settled(() => focused(page), "People (3)");
    await guest.getByRole("heading", { name: "Page not found" }).waitFor();
    await expectNoBarriers(guest);
  });

  test("owners and admins change roles; a member sees the others and leaves", async () => {
    const organization = await addOrganization(scene.service);
    const { slug, owner, admin, member: plain } = organization;
    const page = await visit({ email: admin.email, path: pathOf(organization) });
    const roleOf = (person: { slug: string }, on = page) =>
      on.getByRole("combobox", { name: `Role of ${person.slug}` });
    await roleOf(plain).waitFor();
    expect(await roleOf(owner).count()).toBe(0);
    expect(await roleOf(plain).locator("option").allTextContents()).toEqual(["Admin", "Member"]);
    const other = await visit({ email: plain.email, path: pathOf(organization) });
    await other.getByText(`You are a member of The ${slug}.`).waitFor();
    await expectNoBarriers(other);
    expect(await other.getByRole("main").getByRole("button").allTextContents()).toEqual(["Leave"]);
    expect(await other.getByText("@example.org").count()).toBe(0);
    expect(await other.getByRole("heading", { name: "Pending invitations" }).count()).toBe(0);

    await roleOf(plain).selectOption("Admin");
    await said(page, `${plain.slug} is now an admin`);
    await other.getByText(`You are an admin of The ${slug}.`).waitFor();
    await roleOf(admin).selectOption("Member");
    await dialog(page).getByText("You lose permissions immediately").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    expect(await roleOf(admin).inputValue()).toBe("admin");
    await roleOf(admin).selectOption("Member");
    await page.getByRole("button", { name: "Change role" }).click();
    await page.getByText(`You are a member of The ${slug}.`).waitFor();
    await settled(() => focused(page), "People (3)");
    await page.getByRole("button", { name: "Leave" }).click();
    await dialog(page).getByRole("button", { name: "Leave" }).click();
    await page.waitForURL(/account\/organizations$/);
    await said(page, `You left The ${slug}`);
    expect(await rolesIn(scene.service, slug)).toEqual({ [owner.slug]: "owner", [plain.slug]: "admin" });
  });

  test("an existing account is added by its username, and an invitation is revoked", async () => {
    const organization = await addOrganization(scene.service);
    const { slug, owner, stranger, member: plain } = organization;
    const page = await visit({ email: owner.email, path: pathOf(organization) });
    await page.getByRole("button", { name: "Add member" }).click();
    const field = dialog(page).getByLabel("Username");
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter a username." }).waitFor();
    await field.fill("no-such-person");
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: `User "no-such-person" not found` }).waitFor();
    await settled(() => focused(page), "Username");
    await expectNoBarriers(page);
    await field.fill(plain.slug);
    await field.press("Enter");
    await page.getByRole("alert").filter({ hasText: "already" }).waitFor();
    await field.fill(stranger.slug);
    await dialog(page).getByLabel("Role").selectOption("Owner");
    await field.press("Enter");
    await said(page, `${stranger.slug} added`);
    await member(page, stranger.slug).waitFor();
    expect((await rolesIn(scene.service, slug))[stranger.slug]).toBe("owner");

    await page.getByRole("button", { name: "Invite people" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("Invitation link", { exact: true }).inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "Revoke the invitation for Anyone with the link" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await said(page, "Invitation revoked");
    await page.getByText("No pending invitations. Use “Invite people” to create one.").waitFor();
    expect((await fetch(link)).status).toBe(404);
  });

  test("a personal workspace has no members, and another's isn't visible", async () => {
    const [person, organization] = [await addPerson(scene.service), await addOrganization(scene.service)];
    const page = await visit({ email: person.email, path: pathOf(person) });
    await page.getByRole("heading", { name: "This is your personal workspace" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("link", { name: "Create organization" }).click();
    await page.getByRole("heading", { name: "New organization" }).waitFor();
    for (const path of [pathOf(organization), `/w/${organization.slug}/settings`, "/no/such/page"]) {
      await page.goto(`${scene.service.baseUrl}/-${path}`);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    }
    await expectNoBarriers(page);
  });
});
