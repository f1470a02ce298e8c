import { beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { oidcEnvironment, startOidcProvider } from "../hosts/app/people/oidc-provider.ts";
import { chromiumUnavailable, launchChromium, useBrowser } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { PASSWORD, startService, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";

const BUTTON = "Continue with single sign-on";

describeIf("single sign-on in a browser", chromiumUnavailable(), () => {
  const provider = use(startOidcProvider);
  const browser = useBrowser();
  const service = useService(() => ({ environment: oidcEnvironment(provider.issuer) }));
  let user: { slug: string; email: string; token: string };

  beforeAll(async () => {
    user = await service.build.user();
    await provider.tell("ada", { email: user.email, email_verified: true });
    await provider.tell("eve", { email: "eve@example.org", email_verified: true });
  });

  /** Opens a browser that records problems of Vitrine's own pages. */
  async function openBrowser() {
    const context = await browser.newContext();
    const troubles: string[] = [];
    context.on("console", (message) => {
      const { url } = message.location();
      const isOurs = url.startsWith(service.baseUrl) && !url.endsWith("/favicon.ico");
      if (isOurs && ["error", "warning"].includes(message.type())) troubles.push(message.text());
    });
    context.on("weberror", (error) => troubles.push(error.error().message));
    return { context, troubles, page: await context.newPage() };
  }

  async function signInAtProvider(page: Page, login: string): Promise<void> {
    await page.waitForURL(`${provider.issuer}/**`);
    await page.getByPlaceholder("Enter any login").fill(login);
    await page.getByPlaceholder("and password").fill("any");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
  }

  test("leads to the requested report, with its fragment", async () => {
    const files = {
      "index.html": `<!doctype html><title>Quarter</title><output></output>
<script>document.querySelector("output").textContent = "at " + location.hash</script>`,
    };
    const code = await publishFiles(service, user.token, files, { visibility: "private" });
    const { context, page, troubles } = await openBrowser();
    await page.goto(`${service.baseUrl}/${code}/#part`);
    await page.getByRole("button", { name: BUTTON }).click();
    await signInAtProvider(page, "ada");
    await page.waitForURL(`${service.baseUrl}/${code}/#part`);
    await page.frameLocator("iframe").locator("output").filter({ hasText: "at #part" }).waitFor();
    expect(troubles).toEqual([]);
    const cookies = await context.cookies(service.baseUrl);
    expect(cookies).toMatchObject([{ name: "vitrine_session", httpOnly: true, sameSite: "Lax", domain: "localhost" }]);
    await context.close();
  });

  test("can be reached and used with the keyboard", async () => {
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in`);
    await page.getByLabel("Password").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(BUTTON);
    await page.keyboard.press("Enter");
    await page.waitForURL(`${provider.issuer}/**`);
    await context.close();
  });

  test("a person without an account learns why they were refused, and can return to sign-in", async () => {
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in?next=%2Fa-report%2F`);
    await page.getByRole("button", { name: BUTTON }).click();
    await signInAtProvider(page, "eve");
    await page.getByText("There is no account for eve@example.org.").waitFor();
    expect(await page.title()).toBe("Sign-in failed · Vitrine");
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await page.waitForURL(`${service.baseUrl}/-/sign-in?next=%2Fa-report%2F`);
    await page.getByLabel("Password").waitFor();
    await context.close();
  });

  test("a person who returns from the provider with the back button can try again", async () => {
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in`);
    await page.getByRole("button", { name: BUTTON }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.goBack();
    await page.getByRole("button", { name: BUTTON }).click();
    await signInAtProvider(page, "ada");
    await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}`);
    await context.close();
  });

  test("a person who cancels at the provider returns to where they began", async () => {
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in?next=%2Fa-report%2F`);
    await page.getByRole("button", { name: BUTTON }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await page.getByRole("link", { name: "Cancel" }).click();
    await page.getByText("The sign-in was cancelled").waitFor();
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await page.waitForURL(`${service.baseUrl}/-/sign-in?next=%2Fa-report%2F`);
    await context.close();
  });
});

describeIf("single sign-on with an unreachable provider", chromiumUnavailable(), () => {
  test("the sign-in page reports it and keeps working", async () => {
    await using service = await startService({ environment: oidcEnvironment("http://127.0.0.1:9") });
    const user = await service.build.user();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`${service.baseUrl}/-/sign-in`);
      await page.getByRole("button", { name: BUTTON }).click();
      await page.getByRole("alert").filter({ hasText: "isn't responding correctly" }).waitFor();
      expect(await page.getByRole("button", { name: BUTTON }).isEnabled()).toBe(true);
      await page.getByLabel("Email address").fill(user.email);
      await page.getByLabel("Password").fill(PASSWORD);
      await page.keyboard.press("Enter");
      await page.waitForURL(`${service.baseUrl}/-/w/${user.slug}`);
    } finally {
      await browser.close();
    }
  });
});
