import { beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { PASSWORD, type Service, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { sessionCookie } from "./portal/portal.ts";

const LIST = "#tag/finding/GET/api/list";

describeIf("the API reference", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  let user: Awaited<ReturnType<Service["build"]["user"]>>;

  beforeAll(async () => {
    user = await service.build.user();
    await service.client(user.token).call(uploadRoute, {
      body: { name: "weekly-sales", files: [{ path: "index.html", content: "<title>Sales</title>" }] },
    });
  });

  async function visit(path: string, { isSignedIn = false } = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    if (isSignedIn) await context.addCookies([await sessionCookie(service, user.email, PASSWORD)]);
    const troubles = await watch(context);
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/-/docs${path}`);
    await page.getByRole("heading", { name: "Vitrine", level: 1 }).waitFor({ state: "attached" });
    return { page, troubles, [Symbol.asyncDispose]: () => context.close() };
  }

  /** Records policy violations, errors and requests to other hosts. */
  async function watch(context: BrowserContext): Promise<string[]> {
    const troubles: string[] = [];
    await context.exposeFunction("refused", (what: string) => troubles.push(`refused: ${what}`));
    await context.addInitScript(
      `addEventListener("securitypolicyviolation", (event) => refused(event.violatedDirective + " " + event.sourceFile))`,
    );
    context.on("weberror", (error) => troubles.push(error.error().message));
    context.on("console", (message) => {
      const isExpected = message.text().includes("status of 401");
      if (["error", "warning"].includes(message.type()) && !isExpected) troubles.push(message.text());
    });
    context.on("request", (request) => {
      const isOwn = [`${service.baseUrl}/`, "data:", "blob:"].some((start) => request.url().startsWith(start));
      if (!isOwn) troubles.push(`${request.url()} was asked for`);
    });
    return troubles;
  }

  async function tryOut(page: Page) {
    await page.getByRole("button", { name: "Test Request (get /api/list)" }).click();
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === "/api/list");
    await page.getByRole("button", { name: /^Send/ }).first().click();
    const response = await answered;
    return { status: response.status(), sent: await response.request().allHeaders() };
  }

  test("is public, and makes no requests to other hosts", async () => {
    await using visitor = await visit("");
    const { page, troubles } = visitor;
    for (const topic of ["Publishing", "Cabinet", "Organizations", "Access tokens", "Sessions"]) {
      await page
        .getByRole("button", { name: topic })
        .or(page.getByRole("link", { name: topic }))
        .first()
        .waitFor();
    }
    await page.getByRole("heading", { name: "Publish a report" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder("Search").last().fill("rename");
    await page.getByText("Rename a report").last().waitFor();
    expect(troubles).toEqual([]);
  });

  test("fits a phone in dark mode", async () => {
    await using visitor = await visit(LIST);
    const { page, troubles } = visitor;
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("heading", { name: "List reports" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.waitForFunction(
      `getComputedStyle(document.body).getPropertyValue("--scalar-background-1") === "#0f0f0f"`,
    );
    expect(troubles).toEqual([]);
  });

  test("sends test requests with a token", async () => {
    await using visitor = await visit(LIST);
    const { page, troubles } = visitor;
    await page.getByRole("textbox", { name: "Bearer Token" }).first().fill(user.token);
    const { status, sent } = await tryOut(page);
    expect(status).toBe(200);
    expect(sent.authorization).toBe(`Bearer ${user.token}`);
    await page.getByText("weekly-sales").last().waitFor();
    expect(troubles).toEqual([]);
  });

  test("sends no request with the reader's session", async () => {
    await using visitor = await visit(LIST, { isSignedIn: true });
    const { page, troubles } = visitor;
    const { status, sent } = await tryOut(page);
    expect(status).toBe(401);
    expect(sent.cookie).toBeUndefined();
    expect(troubles).toEqual([]);
  });
});
