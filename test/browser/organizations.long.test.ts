import { expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { membersRoute } from "../../src/contract/people/members.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { addOrganization, buildAccount, invite, type Organization, rolesIn } from "../support/people.ts";
import { PASSWORD, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

interface Visitor {
  context: BrowserContext;
  page: Page;
  troubles: string[];
}

describeIf("people and organizations in a browser", chromiumUnavailable(), () => {
  const service = useService({ environment: { VITRINE_SIGN_UP: "open" } });
  const browser = useBrowser();
  const act = actionsOf(service);

  /** Opens a browser that records problems. */
  async function openBrowser(): Promise<Visitor> {
    const context = await browser.newContext();
    const troubles: string[] = [];
    context.on("console", (message) => {
      // Browsers also log refusals that the page shows.
      const isExpected = /favicon\.ico|status of 4\d\d/.test(message.location().url + message.text());
      if (["error", "warning"].includes(message.type()) && !isExpected) troubles.push(message.text());
    });
    context.on("weberror", (error) => troubles.push(error.error().message));
    const page = await context.newPage();
    page.on("dialog", (dialog) => dialog.accept());
    return { context, page, troubles };
  }

  async function fillSignIn(page: Page, { email, password = PASSWORD }: { email: string; password?: string }) {
    await page.getByLabel("Email address").fill(email);
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
    const address = page.getByLabel("Email address");
    if (await address.isEditable()) await address.fill(email);
    await page.getByLabel("Username").fill(slug);
    await page.getByLabel("Name Shown to other people").fill(name);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: button }).click();
  }

  const pathOf = ({ slug }: Organization) => `/-/w/${slug}`;
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
  const isGone = (page: Page) => heading(page, "Page not found").waitFor();

  test("an invited person creates an account, reads the organization's reports, and loses access when removed", async () => {
    const organization = await addOrganization(service);
    const { slug, owner, member } = organization;
    const token = await service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const { code } = await act.publish(token, { visibility: "org" });
    const { url } = await invite(service, owner.token, { owner: slug, role: "admin" });
    const guest = await openBrowser();
    await guest.page.goto(url);
    await heading(guest.page, `Join The ${slug}`).waitFor();
    await guest.page.getByText(`${owner.slug} invites you to join`).waitFor();
    await guest.page.getByText("as an admin.").waitFor();
    const account = buildAccount({ name: "Grace" });
    await fillAccount(guest.page, { ...account, slug: member.slug }, "Create account and join");
    await guest.page.getByRole("alert").filter({ hasText: "is taken" }).waitFor();
    await fillAccount(guest.page, account, "Create account and join");
    await guest.page.waitForURL(service.baseUrl + pathOf(organization));
    expect((await rolesIn(service, slug))[account.slug]).toBe("admin");
    await guest.page.goto(`${service.baseUrl}/${code}/`);
    await guest.page.frameLocator("iframe").getByText("Hello").waitFor();
    const stranger = await openBrowser();
    await stranger.page.goto(url);
    await heading(stranger.page, "This invitation no longer works").waitFor();

    const { members } = await service.client(token).call(membersRoute, { query: { owner: slug } });
    const userId = members.find((listed) => listed.slug === account.slug)?.userId ?? "";
    await act.removeMember(token, { owner: slug, userId });
    await guest.page.reload();
    await isGone(guest.page);
    await guest.page.goto(service.baseUrl + pathOf(organization));
    await isGone(guest.page);
    expect([...guest.troubles, ...stranger.troubles]).toEqual([]);
    for (const { context } of [guest, stranger]) await context.close();
  });

  test("an invited person with an account signs in on the way and joins", async () => {
    const organization = await addOrganization(service);
    const { owner, stranger, slug } = organization;
    const { url } = await invite(service, owner.token, { owner: slug, email: stranger.email });
    const visitor = await openBrowser();
    await visitor.page.goto(url);
    expect(await visitor.page.getByLabel("Email address").inputValue()).toBe(stranger.email);
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

  test("an invitation stays valid if a member or the wrong person opens it, and they learn why", async () => {
    const { owner, member, stranger, slug } = await addOrganization(service);
    const { url } = await invite(service, owner.token, { owner: slug, email: "grace@example.org" });
    const path = url.slice(service.baseUrl.length);
    const already = await openSignedIn(member, path);
    await already.page.getByText("This invitation is still valid for another person.").waitFor();
    expect(await already.page.getByRole("button").count()).toBe(0);
    const other = await openSignedIn(stranger, path);
    await other.page.getByText(`This invitation is for grace@example.org, but you are signed in as`).waitFor();
    await other.page.getByRole("button", { name: "Sign out" }).click();
    await other.page.waitForURL(`${service.baseUrl}/`);
    const guest = await openBrowser();
    await guest.page.goto(url);
    await guest.page.getByRole("button", { name: "Create account and join" }).waitFor();
    for (const { context } of [already, other, guest]) await context.close();
  });

  test("a person registers and gets to their reports", async () => {
    const { page, context, troubles } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in`);
    await page.getByRole("link", { name: "Create an account" }).click();
    const account = buildAccount({ name: "Ada & <b>Co</b>" });
    await fillAccount(page, { ...account, slug: "Analysts!" }, "Create account");
    expect(await page.evaluate("document.activeElement.matches('[name=slug]:invalid')")).toBe(true);
    await fillAccount(page, account, "Create account");
    await page.waitForURL(`${service.baseUrl}/-/w/${account.slug}`);
    await page.getByRole("button", { name: "Account of Ada & <b>Co</b>" }).waitFor();
    expect(troubles).toEqual([]);
    await context.close();
  });
});
