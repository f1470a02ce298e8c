import { beforeAll, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { publishFiles } from "../support/content.ts";
import { logged } from "../support/log.ts";
import { PASSWORD, startService, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { signOut } from "./portal/portal.ts";

const MODULES = new URL("../../node_modules/", import.meta.url);
const FONT = new URL("mochawesome-report-generator/dist/roboto-regular-webfont.woff2", MODULES);

/** `(func (export "sum") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))` */
const SUM_MODULE = Buffer.from(
  "0061736d0100000001070160027f7f017f030201000707010373756d00000a09010700200020016a0b",
  "hex",
);

/** A report with every kind of file; its output names those that work. */
const FILES = {
  "index.html": `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Quarter</title>
<link rel="stylesheet" href="style.css">
<script type="module" src="main.mjs"></script>
<h1>Quarter</h1><img src="logo.svg" alt="">
<a href="more.html">More</a> <a href="more.html" target="_blank">Tab</a>
<output></output>`,
  "more.html": "<!doctype html><title>More</title><h1>More of it</h1>",
  "style.css": `@font-face { font-family: Own; src: url(own.woff2) } h1 { font-family: Own; color: rgb(1, 2, 3) }`,
  "logo.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><circle cx="4" cy="4" r="4"/></svg>',
  "data.json": '{"word":"json"}',
  "words.mjs": 'export const word = "module";',
  "sum.wasm": SUM_MODULE,
  "main.mjs": `
import { word } from "./words.mjs";
const works = [word, (await (await fetch("data.json")).json()).word];
const { instance } = await WebAssembly.instantiateStreaming(fetch("sum.wasm"));
if (instance.exports.sum(2, 3) === 5) works.push("wasm");
if (getComputedStyle(document.querySelector("h1")).color === "rgb(1, 2, 3)") works.push("stylesheet");
await document.fonts.load("1rem Own");
if ([...document.fonts].some((font) => font.status === "loaded")) works.push("font");
await document.querySelector("img").decode();
works.push("image", "fragment " + location.hash);
document.querySelector("output").textContent = works.join(", ");
`,
};

const EVERYTHING = "module, json, wasm, stylesheet, font, image, fragment #part";

describeIf("private links in a browser", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);
  let owner: { slug: string; email: string; token: string };
  let code: string;

  beforeAll(async () => {
    owner = await service.build.user();
    const files = { ...FILES, "own.woff2": await Bun.file(FONT).bytes() };
    code = await publishFiles(service, owner.token, files, { visibility: "private" });
  });

  /** Opens a browser that records problems. */
  async function openBrowser() {
    const context = await browser.newContext();
    const troubles: string[] = [];
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) troubles.push(message.text());
    });
    context.on("weberror", (error) => troubles.push(error.error().message));
    return { context, troubles, page: await context.newPage() };
  }

  async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
    await page.getByLabel("Email address").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
  }

  const outputOf = (page: Page) => page.frameLocator("iframe").locator("output");

  async function openSignedIn(context: BrowserContext, page: Page): Promise<void> {
    await page.goto(`${service.baseUrl}/${code}/#part`);
    await signIn(page, owner.email);
    await outputOf(page).filter({ hasText: "fragment" }).waitFor();
    expect(context.pages()).toHaveLength(1);
  }

  test("the owner signs in on the way, and everything in the report works", async () => {
    const { context, page, troubles } = await openBrowser();
    await page.goto(`${service.baseUrl}/${code}/#part`);
    expect(await page.title()).toBe("This report isn't public · Vitrine");
    await signIn(page, owner.email);
    await page.waitForURL(`${service.baseUrl}/${code}/#part`);
    expect(await page.title()).toBe(`Quarter · report by ${owner.slug}`);
    await outputOf(page).filter({ hasText: EVERYTHING }).waitFor();
    expect(troubles).toEqual([]);
    const cookies = await context.cookies();
    expect(cookies).toMatchObject([{ name: "vitrine_session", httpOnly: true, sameSite: "Lax", domain: "localhost" }]);
    await context.close();
  });

  test("a link opens inside the report, and in a new tab without a ticket", async () => {
    const { context, page } = await openBrowser();
    await openSignedIn(context, page);
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      page.frameLocator("iframe").getByRole("link", { name: "Tab" }).click(),
    ]);
    await tab.frameLocator("iframe").getByRole("heading", { name: "More of it" }).waitFor();
    expect(tab.url()).toBe(`${service.baseUrl}/${code}/more.html`);
    await page.frameLocator("iframe").getByRole("link", { name: "More" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "More of it" }).waitFor();
    await context.close();
  });

  test("a stranger sees the same as for a code that never existed", async () => {
    const stranger = await service.build.user();
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/${code}/`);
    await signIn(page, stranger.email);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/${code}/`);
    await context.close();
  });

  test("after sign-out the owner sees nothing, and open reports load nothing more", async () => {
    const { context, page } = await openBrowser();
    await openSignedIn(context, page);
    const frame = page.frames()[1];
    const other = await context.newPage();
    await signOut(other, service);
    expect(await frame?.evaluate("fetch('data.json').then((response) => response.status)")).toBe(404);
    await page.reload();
    await page.getByRole("heading", { name: "This report isn't public" }).waitFor();
    await context.close();
  });

  test("a report made private while a colleague has it open loads nothing more", async () => {
    const { slug } = await service.build.organization();
    const colleague = await service.build.user();
    for (const userSlug of [owner.slug, colleague.slug]) {
      await service.build.accounts.addMember({ organizationSlug: slug, userSlug, role: "member" });
    }
    const shared = await publishFiles(service, owner.token, FILES, { visibility: "org" });
    const { context, page } = await openBrowser();
    await page.goto(`${service.contentUrl}/${shared}/`);
    await signIn(page, colleague.email);
    await page.frameLocator("iframe").getByRole("heading", { name: "Quarter" }).waitFor();
    expect(page.url()).toBe(`${service.baseUrl}/${shared}/`);
    const fetched = () => page.frames()[1]?.evaluate("fetch('data.json').then((response) => response.status)");
    expect(await fetched()).toBe(200);
    await act.setVisibility(owner.token, { code: shared, visibility: "private" });
    expect(await fetched()).toBe(404);
    await context.close();
  });

  test("a report can't reach its reader's session", async () => {
    const { context, page } = await openBrowser();
    await openSignedIn(context, page);
    const seen = await page.frames()[1]?.evaluate(`(async () => {
      const attempt = (work) => Promise.resolve().then(work).catch(() => "refused");
      return {
        cookie: await attempt(() => document.cookie),
        parent: await attempt(() => parent.document.title),
        list: await attempt(async () => (await fetch("${service.baseUrl}/api/list", { credentials: "include" })).status),
        signOut: await attempt(async () => (await fetch("${service.baseUrl}/api/auth/sign-out", { method: "POST", mode: "no-cors", credentials: "include", headers: { "Content-Type": "text/plain" }, body: "{}" })).type),
        top: await attempt(() => { top.location = "https://evil.example/"; return "let" }),
      };
    })()`);
    expect(seen).toMatchObject({ cookie: "refused", parent: "refused", list: "refused", top: "refused" });
    await page.reload();
    await outputOf(page).filter({ hasText: EVERYTHING }).waitFor();
    await context.close();
  });

  test("the sign-in page explains failures, and keeps everything typed except the password", async () => {
    const { context, page } = await openBrowser();
    await page.goto(`${service.baseUrl}/-/sign-in`);
    await page.locator("input[name=email]:focus").waitFor();
    await signIn(page, owner.email, "wrong horse");
    await page
      .getByRole("alert")
      .filter({ hasText: "Incorrect email address or password. Check both and try again." })
      .waitFor();
    expect(await page.getByLabel("Email address").inputValue()).toBe(owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(`${service.baseUrl}/-/w/${owner.slug}`);
    await context.close();
  });

  test("the set-up page creates the first account and signs it in", async () => {
    await using fresh = await startService();
    const [link] = await logged(fresh, /http\S+\/-\/set-up\?token=\w{32}/);
    const { context, page, troubles } = await openBrowser();
    await page.goto(link);
    await page.getByLabel("Email address").fill("grace@example.org");
    await page.getByLabel("Username").fill("grace");
    await page.getByLabel("Name Shown to other people").fill("Grace");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "Account of Grace" }).waitFor();
    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    expect(troubles.filter((trouble) => !trouble.includes("404"))).toEqual([]);
    await context.close();
  });
});
