import { afterEach, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { until } from "../support/content.ts";
import { PASSWORD, uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { type Color, sampleFrames } from "./frame-samples.ts";
import { signOut } from "./portal/portal.ts";

const GREEN: Color = [0, 128, 0];
const BLUE: Color = [0, 0, 255];

describeIf("private live links in a browser", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);
  const contexts: BrowserContext[] = [];

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  async function openPage() {
    const context = await browser.newContext({ viewport: { width: 900, height: 600 } });
    contexts.push(context);
    return context.newPage();
  }

  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
  }

  const publish = (token: string, name: string, text: string, [red, green, blue]: Color, visibility = "private") =>
    act.publish(token, {
      name,
      visibility: visibility === "org" ? "org" : "private",
      files: [
        {
          path: "index.html",
          content: `<!doctype html><title>${text}</title><link rel="stylesheet" href="a.css"><h1>${text}</h1>`,
        },
        { path: "a.css", content: `body { margin: 0; background: rgb(${red} ${green} ${blue}) }` },
      ],
    });

  async function shows(page: Page, text: string): Promise<void> {
    const shown = page.locator("iframe:not(.waiting)").last().contentFrame();
    await shown.getByRole("heading", { name: text }).waitFor();
    await until(async () => (await page.locator("iframe").count()) === 1 || undefined);
  }

  test("the owner signs in on the way, and sees the next version appear without a flash", async () => {
    const owner = await service.build.user();
    const name = uniqueName();
    const { nameUrl = "" } = await publish(owner.token, name, "Green", GREEN);
    const page = await openPage();
    await page.goto(`${nameUrl}#part`);
    await signIn(page, owner.email);
    await page.waitForURL(`${nameUrl}#part`);
    await shows(page, "Green");
    await page.evaluate("globalThis.isSamePage = true");
    const colors = await sampleFrames(page, async () => {
      await publish(owner.token, name, "Blue", BLUE);
      await shows(page, "Blue");
    });
    expect(new Set(colors.map(String))).toEqual(new Set([String(GREEN), String(BLUE)]));
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
    expect(page.frames()[1]?.url()).toEndWith("#part");
    await page.getByRole("button", { name: /^Version \d+$/ }).click();
    await page.getByRole("menuitemradio", { name: "Version 1" }).click();
    await shows(page, "Green");
  });

  test("the version link opens in a new tab", async () => {
    const owner = await service.build.user();
    const { nameUrl = "", code } = await publish(owner.token, uniqueName(), "Green", GREEN);
    const page = await openPage();
    await page.goto(nameUrl);
    await signIn(page, owner.email);
    await shows(page, "Green");
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("link", { name: "Open version link" }).click(),
    ]);
    await tab.frameLocator("iframe").getByRole("heading", { name: "Green" }).waitFor();
    expect(tab.url()).toBe(`${service.baseUrl}/${code}/`);
  });

  test("a person who signs out in another tab sees nothing any more, and can sign in again from there", async () => {
    const owner = await service.build.user();
    const { nameUrl = "" } = await publish(owner.token, uniqueName(), "Green", GREEN);
    const page = await openPage();
    await page.goto(nameUrl);
    await signIn(page, owner.email);
    await shows(page, "Green");
    const other = await page.context().newPage();
    await signOut(other, service);
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    expect(await page.locator("iframe").count()).toBe(0);
    await page.getByRole("link", { name: "Open it again" }).click();
    await signIn(page, owner.email);
    await shows(page, "Green");
  });

  test("a colleague arrives by the content host's link, and is cut off when sharing ends", async () => {
    const { slug, owner, members } = await service.build.organization({ roles: ["member"] });
    const [author] = members;
    const name = uniqueName();
    const { nameUrl = "" } = await publish(author?.token ?? "", name, "Green", GREEN, "org");
    expect(nameUrl).toBe(`${service.contentUrl}/@${slug}/${name}/`);
    const page = await openPage();
    await page.goto(nameUrl);
    const reader = await service.build.user();
    await service.build.accounts.addMember({ organizationSlug: slug, userSlug: reader.slug, role: "member" });
    await signIn(page, reader.email);
    await page.waitForURL(`${service.baseUrl}/${name}/`);
    await shows(page, "Green");
    await act.setVisibility(owner.token, { name, visibility: "private" });
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  test("a stranger who signs in sees the same as for a name that never existed", async () => {
    const [owner, stranger] = await Promise.all([service.build.user(), service.build.user()]);
    const { nameUrl = "" } = await publish(owner.token, uniqueName(), "Green", GREEN);
    const page = await openPage();
    await page.goto(nameUrl);
    await signIn(page, stranger.email);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});
