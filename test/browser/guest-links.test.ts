import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { BrowserContext, Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf, setGuestPassword } from "../hosts/app/sharing/guests.ts";
import { startMailServer } from "../mail/mail-server.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { startEmbedder } from "./embedder.ts";

const PASSWORD = "a password of guests";

describeIf("guest links in a browser", chromiumUnavailable(), () => {
  const mail = use(() => startMailServer());
  const service = useService(() => ({
    environment: {
      VITRINE_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      VITRINE_SMTP_FROM: "Vitrine <vitrine@example.org>",
    },
  }));
  const browser = use(() => launchChromium({ args: ["--test-third-party-cookie-phaseout"] }));
  const act = actionsOf(service);
  const guests = guestsOf(service);
  const contexts: BrowserContext[] = [];
  let owner: { token: string; slug: string };

  beforeAll(async () => {
    owner = await service.build.user();
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });

  async function openPage(): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 700 } });
    contexts.push(context);
    return context.newPage();
  }

  const publish = (name: string, title: string) =>
    act.publish(owner.token, {
      name,
      files: [
        {
          path: "index.html",
          content: `<!doctype html><title>${title}</title><h1>${title}</h1><script src="a.js"></script>`,
        },
        { path: "a.js", content: 'document.body.append("loaded")' },
      ],
    });

  async function share(limits: Record<string, unknown> = {}) {
    const name = uniqueName();
    const { code } = await publish(name, "Figures");
    return { name, code, ...(await guests.create(owner.token, { name, ...limits })) };
  }

  const report = (page: Pick<Page, "locator">) => page.locator("#stage iframe:not(.waiting)").last().contentFrame();
  const showsReport = async (page: Pick<Page, "locator">, title: string) => {
    await report(page).getByRole("heading", { name: title }).waitFor();
    await report(page).getByText("loaded").waitFor();
  };

  test("a guest reads the report, sees new versions, and loses it when the link is revoked", async () => {
    const { id, name, url } = await share();
    const page = await openPage();
    await page.goto(`${url}#part`);
    await showsReport(page, "Figures");
    await page.getByRole("heading", { name: "Figures", level: 1 }).first().waitFor();
    expect(await page.locator(".reader-bar .by").innerText()).toContain(`@${owner.slug}`);
    expect(await page.getByRole("link", { name: /Share|Open in Vitrine|version link/ }).count()).toBe(0);
    expect(page.frames().at(-1)?.url()).toEndWith("/#part");
    expect(await page.getByRole("button", { name: "Previous version" }).isVisible()).toBe(false);
    await publish(name, "More figures");
    await showsReport(page, "More figures");
    expect(await page.title()).toBe(`More figures · report by ${owner.slug}`);
    expect(page.url()).toBe(`${url}#part`);
    await guests.revoke(owner.token, id);
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    expect(await page.locator("#stage iframe").count()).toBe(0);
    await page.getByRole("link", { name: "Open it again" }).click();
    await page.getByRole("heading", { name: "This link doesn't work" }).waitFor();
  });

  test("a link that ends while two versions are compared leaves no report behind", async () => {
    const { id, name, url } = await share();
    const page = await openPage();
    await page.goto(url);
    await showsReport(page, "Figures");
    const asked = page.waitForRequest("**/~current");
    const over = Promise.withResolvers<void>();
    await page.route("**/~current", (route) => over.promise.then(() => route.continue()));
    await publish(name, "More figures");
    await asked;
    await guests.revoke(owner.token, id);
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    const answered = page.waitForResponse("**/~current");
    over.resolve();
    await answered;
    await page.evaluate("new Promise(requestAnimationFrame)");
    expect(await page.locator("#stage iframe").count()).toBe(0);
  });

  test("a password is asked for, also after a wrong one, and not again in the same tab", async () => {
    const { id, url } = await share();
    await setGuestPassword(service, id, PASSWORD);
    const page = await openPage();
    await page.goto(url);
    await page.getByRole("heading", { name: "Enter the password" }).waitFor();
    expect(await page.content()).not.toContain("Figures");
    const field = page.getByLabel("Password", { exact: true });
    expect(await page.evaluate("document.activeElement.name")).toBe("password");
    await field.fill("not this one");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The password isn't right").waitFor();
    await field.fill(PASSWORD);
    await page.keyboard.press("Enter");
    await showsReport(page, "Figures");
    await page.reload();
    await showsReport(page, "Figures");
    const other = await openPage();
    await other.goto(url);
    await other.getByRole("heading", { name: "Enter the password" }).waitFor();
  });

  test("a guest proves an address with the code that was mailed to it", async () => {
    const { id, url } = await share({ emails: ["ada@example.org"] });
    await setGuestPassword(service, id, PASSWORD);
    const page = await openPage();
    await page.goto(url);
    await page.getByRole("heading", { name: "Confirm your email address" }).waitFor();
    await page.getByLabel("Email address", { exact: true }).fill("someone@example.org");
    await page.keyboard.press("Enter");
    await page.getByText("If the report is shared with that address").waitFor();
    await page.getByRole("button", { name: "Use another address" }).click();
    await page.getByLabel("Email address", { exact: true }).fill("Ada@example.org");
    await page.keyboard.press("Enter");
    const received = await until(() => mail.received.find(({ to }) => to.includes("ada@example.org")));
    const [code = ""] = /^\d{6}$/m.exec(received.text) ?? [];
    await page.getByLabel("Code", { exact: true }).fill(code);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await showsReport(page, "Figures");
    expect(mail.received.filter(({ to }) => to.includes("someone@example.org"))).toEqual([]);
  });

  describe("on the page of another site, with third-party cookies blocked", () => {
    const named = use(startEmbedder);
    const unnamed = use(startEmbedder);

    test("the report opens where the link names the origin, without a cookie, and nowhere else", async () => {
      const { url, id } = await share({ embed_origins: [named.origin] });
      await setGuestPassword(service, id, PASSWORD);
      const page = await openPage();
      const cookies: (string | undefined)[] = [];
      page.on("request", async (request) => {
        if (request.url().startsWith(service.baseUrl)) cookies.push((await request.allHeaders())["cookie"]);
      });
      await page.goto(named.pageFor(url));
      const frame = page.frameLocator("iframe");
      await frame.getByLabel("Password", { exact: true }).fill(PASSWORD);
      await frame.getByRole("button", { name: "Open report" }).click();
      await showsReport(frame, "Figures");
      expect(cookies.filter((cookie) => cookie !== undefined)).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);

      const blocked = page.waitForEvent("requestfailed", (request) => request.url() === url);
      await page.goto(unnamed.pageFor(url));
      expect((await blocked).failure()?.errorText).toContain("ERR_BLOCKED_BY_RESPONSE");
      const plain = await share();
      const other = page.waitForEvent("requestfailed", (request) => request.url() === plain.url);
      await page.goto(named.pageFor(plain.url));
      expect((await other).failure()?.errorText).toContain("ERR_BLOCKED_BY_RESPONSE");
    });

    test("a guest comments on a passage, which is marked", async () => {
      const { url } = await share({ embed_origins: [named.origin], comments: true });
      const page = await openPage();
      await page.goto(named.pageFor(url));
      const frame = page.frameLocator("iframe").first();
      await showsReport(frame, "Figures");
      await frame.getByRole("button", { name: "Comments" }).click();
      const panel = frame.getByRole("region", { name: "Comments" });
      await panel.getByText("No comments yet.").waitFor();
      // Only the frame that comments make takes selections to them.
      await frame.locator("#stage iframe:not([src*='/~framed/'])").waitFor({ state: "detached" });
      await showsReport(frame, "Figures");
      await report(frame).getByText("loaded").selectText();
      await panel.getByRole("button", { name: "Comment on selection" }).click();
      await panel.getByRole("textbox", { name: "Your name" }).fill("Eve");
      await panel.getByRole("textbox", { name: "Write a comment" }).fill("Is it?");
      await panel.getByRole("button", { name: "Comment", exact: true }).click();
      await panel.getByRole("article").getByText("Eve (guest)").waitFor();
      const framed = await until(async () => page.frames().find((each) => each.url().includes("/~framed/")));
      await until(() => framed.evaluate<boolean>(`CSS.highlights.get("vitrine-comment")?.size === 1`));
    });

    test("an embedded report follows new versions, and says when the link has ended", async () => {
      const { url, id, name } = await share({ embed_origins: [named.origin] });
      const page = await openPage();
      await page.goto(named.pageFor(url));
      const frame = page.frameLocator("iframe");
      await showsReport(frame, "Figures");
      await publish(name, "More figures");
      await showsReport(frame, "More figures");
      await guests.revoke(owner.token, id);
      await frame.getByRole("heading", { name: "This report is no longer available" }).waitFor();
      await page.goto(named.pageFor(url));
      await frame.getByRole("heading", { name: "This link doesn't work" }).waitFor();
    });
  });
});
