import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type Actions, actionsOf } from "../api/actions.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { addOrganization, buildAccount, invite, type Organization, rolesIn } from "../support/people.ts";
import { PASSWORD, type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

const DEADLINE = 10_000;

interface Visitor {
  context: BrowserContext;
  page: Page;
  troubles: string[];
}

describeIf("people and organizations in a browser", chromiumUnavailable(), () => {
  let service: Service;
  let browser: Browser;
  let act: Actions;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startService({ environment: { VITRINE_SIGN_UP: "open" } }),
      launchChromium(),
    ]);
    act = actionsOf(service);
  });
  afterAll(async () => {
    await browser.close();
    await service[Symbol.asyncDispose]();
  });

  /** A browser of somebody's own, with all that went wrong in it. */
  async function openBrowser(): Promise<Visitor> {
    const context = await browser.newContext();
    context.setDefaultTimeout(DEADLINE);
    const troubles: string[] = [];
    context.on("console", (message) => {
      // A refusal that the page shows is logged by the browser as well.
      const isExpected = /favicon\.ico|status of 4\d\d/.test(message.location().url + message.text());
      if (["error", "warning"].includes(message.type()) && !isExpected) troubles.push(message.text());
    });
    context.on("weberror", (error) => troubles.push(error.error().message));
    const page = await context.newPage();
    page.on("dialog", (dialog) => dialog.accept());
    return { context, page, troubles };
  }

  async function fillSignIn(page: Page, { email, password = PASSWORD }: { email: string; password?: string }) {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  }

  async function openSignedIn(who: { email: string; password?: string }, path: string): Promise<Visitor> {
    const visitor = await openBrowser();
    await visitor.page.goto(`${service.baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`);
    await fillSignIn(visitor.page, who);
    await visitor.page.waitForURL(service.baseUrl + path);
    return visitor;
  }

  async function fillAccount(page: Page, { email, slug, name = "" }: ReturnType<typeof buildAccount>, button: string) {
    const address = page.getByLabel("E-mail address");
    if (await address.isEditable()) await address.fill(email);
    await page.getByLabel("Short name").fill(slug);
    await page.getByLabel("Name As people read it").fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: button }).click();
  }

  const pathOf = ({ slug }: Organization) => `/-/organizations/${slug}`;
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const isGone = (page: Page) => heading(page, "Nothing to see here").waitFor();

  test("an owner invites somebody, who makes an account by the link, reads along, and no more when removed", async () => {
    const organization = await addOrganization(service);
    const token = await service.build.token({ userSlug: organization.owner.slug, workspaceSlug: organization.slug });
    const { code } = await act.publish(token, { visibility: "org" });
    const owner = await openSignedIn(organization.owner, pathOf(organization));
    await owner.page.getByRole("combobox", { name: "Role", exact: true }).selectOption("Admin");
    await owner.page.getByRole("button", { name: "Make a link" }).click();
    const field = owner.page.getByLabel("Invitation link");
    await field.waitFor();
    const link = await field.inputValue();
    expect(link).toMatch(/\/-\/invitation\?token=\w{32}$/);
    await owner.context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.baseUrl });
    await owner.page.getByRole("button", { name: "Copy link" }).click();
    await owner.page.getByRole("status").filter({ hasText: "Copied." }).waitFor();
    expect(await owner.page.evaluate("navigator.clipboard.readText()")).toBe(link);
    await owner.page.getByText("Whoever has the link, as admin").waitFor();

    const guest = await openBrowser();
    await guest.page.goto(link);
    await heading(guest.page, `Join The ${organization.slug}`).waitFor();
    await guest.page.getByText(`${organization.owner.slug} invites you to join`).waitFor();
    await guest.page.getByText("as an admin.").waitFor();
    const account = buildAccount({ name: "Grace" });
    await fillAccount(guest.page, { ...account, slug: organization.member.slug }, "Make account and join");
    await guest.page.getByRole("alert").filter({ hasText: "is taken" }).waitFor();
    await fillAccount(guest.page, account, "Make account and join");
    await guest.page.waitForURL(service.baseUrl + pathOf(organization));
    expect((await rolesIn(service, organization.slug))[account.slug]).toBe("admin");
    await guest.page.goto(`${service.baseUrl}/${code}/`);
    await guest.page.frameLocator("iframe").getByText("Hello").waitFor();
    const stranger = await openBrowser();
    await stranger.page.goto(link);
    await heading(stranger.page, "This invitation is not open").waitFor();

    await owner.page.reload();
    await owner.page.getByRole("heading", { name: "Open invitations" }).waitFor();
    await owner.page.getByText("There are none.").waitFor();
    await owner.page.getByRole("button", { name: "Remove Grace" }).click();
    await owner.page.getByText("Grace", { exact: true }).waitFor({ state: "detached" });
    await guest.page.reload();
    await isGone(guest.page);
    await guest.page.goto(service.baseUrl + pathOf(organization));
    await isGone(guest.page);
    expect([...owner.troubles, ...guest.troubles, ...stranger.troubles]).toEqual([]);
    for (const { context } of [owner, guest, stranger]) await context.close();
  });

  test("somebody who has an account signs in on the way and joins", async () => {
    const organization = await addOrganization(service);
    const { owner, stranger, slug } = organization;
    const { url } = await invite(service, owner.token, { owner: slug, email: stranger.email });
    const visitor = await openBrowser();
    await visitor.page.goto(url);
    expect(await visitor.page.getByLabel("E-mail address").inputValue()).toBe(stranger.email);
    await visitor.page.getByRole("link", { name: "sign in" }).click();
    await fillSignIn(visitor.page, stranger);
    await visitor.page.waitForURL(url);
    await visitor.page.getByText(`You are signed in as ${stranger.email}.`).waitFor();
    await visitor.page.getByRole("button", { name: "Join" }).click();
    await visitor.page.waitForURL(service.baseUrl + pathOf(organization));
    expect((await rolesIn(service, slug))[stranger.slug]).toBe("member");
    expect(visitor.troubles).toEqual([]);
    await visitor.context.close();
  });

  test("a member already, and somebody for whom the link is not, are told so, and it stays open", async () => {
    const { owner, member, stranger, slug } = await addOrganization(service);
    const { url } = await invite(service, owner.token, { owner: slug, email: "grace@example.org" });
    const path = url.slice(service.baseUrl.length);
    const already = await openSignedIn(member, path);
    await already.page.getByText("already. The link stays good").waitFor();
    expect(await already.page.getByRole("button").count()).toBe(0);
    const other = await openSignedIn(stranger, path);
    await other.page.getByText(`This invitation is for grace@example.org, and you are signed in as`).waitFor();
    await other.page.getByRole("button", { name: "Sign out" }).click();
    await other.page.waitForURL(`${service.baseUrl}/`);
    const guest = await openBrowser();
    await guest.page.goto(url);
    await guest.page.getByRole("button", { name: "Make account and join" }).waitFor();
    for (const { context } of [already, other, guest]) await context.close();
  });

  test("an owner changes a role and revokes an invitation, and members see neither", async () => {
    const organization = await addOrganization(service);
    const { owner, member, admin, slug } = organization;
    const { url } = await invite(service, owner.token, { owner: slug });
    const { page, context, troubles } = await openSignedIn(owner, pathOf(organization));
    await page.getByRole("combobox", { name: `Role of ${member.slug}` }).selectOption("Owner");
    await Promise.all([
      page.waitForEvent("load"),
      page.getByRole("button", { name: `Save the role of ${member.slug}` }).click(),
    ]);
    expect((await rolesIn(service, slug))[member.slug]).toBe("owner");
    await page.getByRole("button", { name: "Revoke the invitation" }).click();
    await page.getByText("There are none.").waitFor();
    expect((await fetch(url)).status).toBe(404);
    // Now that there is another owner, this one may become less.
    await page.getByRole("combobox", { name: `Role of ${owner.slug}` }).selectOption("Member");
    await page.getByRole("button", { name: `Save the role of ${owner.slug}` }).click();
    await page.getByText("You are a member.").waitFor();
    expect(await page.getByRole("button").allTextContents()).toEqual(["Leave"]);
    expect(await page.getByText("@example.org").count()).toBe(0);
    await page.getByText(admin.slug).waitFor();
    await page.getByRole("button", { name: "Leave" }).click();
    await page.waitForURL(`${service.baseUrl}/-/account`);
    await page.getByText("You belong to no organization yet.").waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("somebody registers, makes an organization, and finds it under their account", async () => {
    const { page, context, troubles } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in`);
    await page.getByRole("link", { name: "Make an account" }).click();
    const account = buildAccount({ name: "Ada & <b>Co</b>" });
    await fillAccount(page, account, "Make account");
    await heading(page, "Hello, Ada & <b>Co</b>").waitFor();
    await page.getByRole("link", { name: "Your account" }).click();
    await page.getByLabel("Name As people read it").fill("The <i>Analysts</i>");
    await page.getByLabel("Short name In links").fill("Analysts!");
    await page.getByRole("button", { name: "Make organization" }).click();
    expect(await page.evaluate("document.activeElement.matches('[name=slug]:invalid')")).toBe(true);
    await page.getByLabel("Short name In links").fill(`${account.slug}-org`);
    await page.getByRole("button", { name: "Make organization" }).click();
    await heading(page, "The <i>Analysts</i>").waitFor();
    await page.getByRole("link", { name: "Your account" }).click();
    await page.getByRole("link", { name: "The <i>Analysts</i>" }).click();
    await page.getByText("You are an owner.").waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });

  test("a new password signs the other browser out, and signing out everywhere both", async () => {
    const user = await service.build.user();
    const first = await openSignedIn(user, "/-/account");
    const second = await openSignedIn(user, "/-/account");
    const change = async (current: string) => {
      await first.page.getByLabel("Current password").fill(current);
      await first.page.getByLabel("New password").fill("a new horse");
      await first.page.getByRole("button", { name: "Change password" }).click();
    };
    await change("wrong horse");
    await first.page.getByRole("alert").filter({ hasText: "Current password is wrong." }).waitFor();
    await change(PASSWORD);
    await first.page.getByRole("status").filter({ hasText: "Your password is changed." }).waitFor();
    expect(await first.page.getByLabel("New password").inputValue()).toBe("");
    await second.page.reload();
    await heading(second.page, "Sign in").waitFor();
    await first.page.reload();
    await heading(first.page, "Your account").waitFor();

    await fillSignIn(second.page, { email: user.email, password: "a new horse" });
    await heading(second.page, "Your account").waitFor();
    await first.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await heading(first.page, "Sign in").waitFor();
    await second.page.reload();
    await heading(second.page, "Sign in").waitFor();
    expect([...first.troubles, ...second.troubles]).toEqual([]);
    for (const { context } of [first, second]) await context.close();
  });
});
