import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { createTestDatabase } from "../../support/engines.ts";
import { publishReport, startService, uniqueName, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";

describeIf("the frame around the portal's pages", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  const openCommands = async (page: Page) => {
    await page.keyboard.press("ControlOrMeta+k");
    const box = page.getByRole("combobox", { name: "Search or run a command" });
    await box.and(page.locator(":focus")).waitFor();
    return box;
  };

  test("the palette finds reports and pages by keyboard", async () => {
    const user = await service.build.user();
    const name = uniqueName("quarterly");
    await publishReport(service.client(user.token), { name, title: "Quarterly figures" });
    await using visitor = await openPortal(browser, service, user.email);
    const { page } = visitor;
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}`);
    await page.getByRole("link", { name: "Quarterly figures" }).waitFor();

    await openCommands(page);
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.type("quarterly fig");
    await page.getByRole("option", { name: "Quarterly figures" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.baseUrl}/-/r/${name}`);

    await openCommands(page);
    await page.keyboard.type("tokens");
    await page.getByRole("option", { name: "Access tokens" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(`${service.baseUrl}/-/account/tokens`);

    await openCommands(page);
    await page.keyboard.type("no such thing anywhere");
    await page.getByText("No results").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(visitor.troubles).toEqual([]);
  });

  test("the theme follows the system until one is chosen, which persists", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email, { colorScheme: "dark" });
    const { page } = visitor;
    const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
    const account = page.getByRole("button", { name: /Account of/ });
    await account.waitFor();
    expect(await scheme()).toBe("dark");
    await account.click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("menuitemradio", { name: "Light theme" }).click();
    expect(await scheme()).toBe("light");
    await page.reload();
    await account.waitFor();
    expect(await scheme()).toBe("light");
    expect(visitor.troubles).toEqual([]);
  });

  test("the portal opens in the workspace used last", async () => {
    const organization = await service.build.organization();
    const email = `${organization.owner.slug}@example.org`;
    await using visitor = await openPortal(browser, service, email);
    const { page } = visitor;
    const change = () => page.getByRole("button", { name: /Switch workspace/ });
    await change().click();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("menuitem", { name: organization.slug }).click();
    await page.waitForURL(`${service.baseUrl}/-/w/${organization.slug}`);
    await page.goto(`${service.baseUrl}/-/`);
    await page.waitForURL(`${service.baseUrl}/-/w/${organization.slug}`);
    await change().filter({ hasText: "Organization" }).waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("signing out leads to sign-in on this page and on others", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email);
    const { page, context } = visitor;
    const other = await context.newPage();
    await other.goto(`${service.baseUrl}/-/account/tokens`);
    await other.getByRole("button", { name: /Account of/ }).waitFor();
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/sign-in/);
    await other.waitForURL(/sign-in\?next=%2F-%2Faccount%2Ftokens/);
    expect(visitor.troubles).toEqual([]);
  });

  test("at 390 px the cabinet is behind a button", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email, { viewport: { width: 390, height: 800 } });
    const { page } = visitor;
    const cabinet = page.getByRole("navigation", { name: "Cabinet" });
    await page.getByRole("navigation", { name: "Publishing" }).getByRole("link", { name: "New report" }).waitFor();
    expect(await page.locator("nav[aria-label=Cabinet]").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Open sidebar" }).click();
    await cabinet.getByRole("button", { name: /Switch workspace/ }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await cabinet.getByRole("link", { name: "Publish" }).click();
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}/publish`);
    await page.getByRole("button", { name: "Open sidebar" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(visitor.troubles).toEqual([]);
  });

  test("a page that loses its server says so, and recovers with what it missed", async () => {
    const database = await createTestDatabase("sqlite");
    const first = await startService({ database });
    const ports = { VITRINE_PORT: new URL(first.baseUrl).port, VITRINE_CONTENT_PORT: new URL(first.contentUrl).port };
    const user = await first.build.user();
    await using visitor = await openPortal(browser, first, user.email, { path: "/account/organizations" });
    const { page } = visitor;
    const notice = page.getByText("You're offline, or the server can't be reached");
    await page.getByRole("button", { name: /Account of/ }).waitFor();
    await first[Symbol.asyncDispose]();
    await notice.waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // Code that isn't loaded yet leaves the page as it is, and reloading waits for the server.
    await page.getByRole("button", { name: /Account of/ }).click();
    await page.getByRole("button", { name: "Reload page" }).click();
    await page.getByText("The server can't be reached yet.").waitFor();
    await page.getByRole("button", { name: "Not now" }).click();
    await page.getByRole("navigation", { name: "Cabinet" }).getByRole("link", { name: "Recent" }).waitFor();
    await using _second = await startService({ database, environment: ports });
    await notice.waitFor({ state: "detached", timeout: 30_000 });
    await database.remove();
  });

  test("a page whose session ended while it was offline goes to sign-in", async () => {
    const user = await service.build.user();
    await using visitor = await openPortal(browser, service, user.email, { path: "/account", isSpoiled: true });
    const { page } = visitor;
    await page.routeWebSocket("**", (socket) => socket.close());
    await page.reload();
    await page.getByText("You're offline, or the server can't be reached").waitFor();
    await visitor.context.clearCookies();
    await page.waitForURL(`${service.baseUrl}/-/sign-in?next=%2F-%2Faccount`);
  });

  test("a report clicked while the server is away opens once it is back, within the same page", async () => {
    const database = await createTestDatabase("sqlite");
    const first = await startService({ database });
    const ports = { VITRINE_PORT: new URL(first.baseUrl).port, VITRINE_CONTENT_PORT: new URL(first.contentUrl).port };
    const user = await first.build.user();
    await publishReport(first.client(user.token), { name: uniqueName(), title: "Weekly figures" });
    await using visitor = await openPortal(browser, first, user.email, { path: `/w/${user.slug}` });
    const { page } = visitor;
    await page.getByRole("link", { name: "Weekly figures" }).waitFor();
    // The page that is likely to be opened is loaded in advance.
    const loaded = `performance.getEntriesByType("resource").some(({ name }) => name.includes("/soon-"))`;
    await until(() => page.evaluate<boolean>(loaded));
    await first[Symbol.asyncDispose]();
    await page.getByText("You're offline, or the server can't be reached").waitFor();
    await page.getByRole("link", { name: "Weekly figures" }).click();
    await page.waitForURL(/\/-\/r\//);
    await page.getByRole("navigation", { name: "Cabinet" }).waitFor();
    await using _second = await startService({ database, environment: ports });
    await page.getByRole("heading", { level: 1, name: "Weekly figures" }).waitFor({ timeout: 30_000 });
    await database.remove();
  });
});
