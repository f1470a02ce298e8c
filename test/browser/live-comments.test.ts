import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { commentsRoute, replyRoute } from "../../src/contract/reviews/threads.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { findBarriers, openPortal } from "./portal/portal.ts";

const REPORT = `<!doctype html><title>Sales</title><h1>Sales</h1><p id="revenue">Revenue rose to <b>1,204</b> in March.</p>`;

describeIf("comments in live links", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  async function publish(token: string, visibility: "private" | "public" = "private") {
    const files = [{ path: "index.html", content: REPORT }];
    const { nameUrl = "", code } = await act.publish(token, { name: uniqueName(), visibility, files });
    return { link: nameUrl, code };
  }

  const panelOf = (page: Page) => page.getByRole("region", { name: "Comments" });

  const framed = (page: Page) => until(async () => page.frames().find((frame) => frame.url().includes("/~framed/")));

  test("a reader comments on text by keyboard, and the report doesn't learn of it", async () => {
    const user = await service.build.user();
    const { link } = await publish(user.token);
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(`${link}?thread=cth_unknown`);
    await panelOf(page).getByText("No comments yet.").waitFor();
    expect(asked.filter((url) => url.startsWith(service.contentUrl) && url.includes("cth_unknown"))).toEqual([]);
    await page.keyboard.press("Escape");
    await panelOf(page).waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement.dataset.part")).toBe("comments");
    await page.keyboard.press("m");
    const report = await framed(page);
    await report.locator("#revenue").waitFor();
    const comment = panelOf(page).getByRole("button", { name: "Comment on selection" });
    await until(async () => {
      await report.evaluate(
        `getSelection().removeAllRanges(), getSelection().selectAllChildren(document.querySelector("b"))`,
      );
      return comment.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    });
    await comment.press("Enter");
    await page.keyboard.type("Before returns?");
    await page.keyboard.press("Control+Enter");
    await panelOf(page).getByRole("article").getByText("Before returns?").waitFor();
    await until(() => report.evaluate<boolean>(`CSS.highlights.get("vitrine-comment")?.size === 1`));
    expect(visitor.troubles).toEqual([]);
  });

  test("a reader scrolls the report while writing, and gets into it by Tab and by pointer", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const content = `${REPORT}<button style="position:fixed;top:0;right:0">Inside</button><p style="height:4000px">`;
    const { nameUrl = "" } = await act.publish(user.token, { name, files: [{ path: "index.html", content }] });
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    await page.goto(nameUrl);
    await page.keyboard.press("m");
    const report = await framed(page);
    await panelOf(page).getByRole("button", { name: "Comment on the report" }).press("Enter");
    const box = panelOf(page).getByRole("textbox", { name: "Write a comment" });
    await page.keyboard.type("Before ");
    const area = await page.locator("iframe[src*='/~framed/']").boundingBox();
    if (area === null) throw new Error("The report isn't shown.");
    await page.mouse.move(area.x + 100, area.y + 200);
    // What the report says of its place meanwhile is older than the turns of the wheel that follow.
    for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 35);
    await until(async () => (await report.evaluate<number>("scrollY")) === 700);
    await page.keyboard.type("returns?");
    expect(await box.inputValue()).toBe("Before returns?");

    const inside = report.getByRole("button", { name: "Inside" });
    const hasFocus = () => report.evaluate<boolean>("document.hasFocus()");
    await until(async () => {
      await page.keyboard.press("Shift+Tab");
      return hasFocus();
    });
    await box.focus();
    await page.mouse.click(area.x + 100, area.y + 200);
    await inside.click();
    expect(await hasFocus()).toBe(true);
    expect(await box.inputValue()).toBe("Before returns?");
    expect(visitor.troubles).toEqual([]);
  });

  test("changes are marked in a report whose comments are open", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const { nameUrl = "" } = await act.publish(user.token, { name, files: [{ path: "index.html", content: REPORT }] });
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    // As on a slow line: the page of the new version introduces itself before anything wants to mark it.
    const late = Promise.withResolvers<void>();
    await page.route("**/~shell/changes-*.js", async (route) => {
      await late.promise;
      await route.continue();
    });
    await page.goto(nameUrl);
    await page.keyboard.press("m");
    await panelOf(page).getByText("No comments yet.").waitFor();
    await framed(page);
    await act.publish(user.token, { name, files: [{ path: "index.html", content: REPORT.replace("1,204", "1,305") }] });
    await page.locator("iframe").last().contentFrame().getByText("1,305").waitFor();
    await until(async () => (await page.locator("iframe").count()) === 1);
    late.resolve();
    await page.getByRole("button", { name: "Version 2: 1 number" }).click();
    await page.getByRole("region", { name: "Changes since version 1" }).getByText("1 of 1").waitFor();
    await until(async () => {
      const report = await framed(page);
      const marked = `[...(CSS.highlights.get("vitrine-changed") ?? [])].map(String).join()`;
      return (await report.evaluate<string>(marked).catch(() => "")) === "1,305";
    });
    expect(visitor.troubles).toEqual([]);
  });

  test("the bar counts what is unread, and loads the comments only when they are opened", async () => {
    const { slug, members } = await service.build.organization({ roles: ["member"] });
    const [author] = members;
    const reader = await service.build.user();
    await service.build.accounts.addMember({ organizationSlug: slug, userSlug: reader.slug, role: "admin" });
    const { code, nameUrl } = await act.publish(author?.token ?? "", { name: uniqueName(), visibility: "private" });
    await fetch(`${service.baseUrl}/api/comments/create`, {
      method: "POST",
      headers: { Authorization: `Bearer ${author?.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ code, text: "Are these figures final?" }),
    });
    await using visitor = await openPortal(browser, service, reader.email, { path: "/account/tokens" });
    const { page } = visitor;
    const parts: string[] = [];
    page.on("request", (request) => request.url().includes("/~shell/") && parts.push(request.url()));
    await page.goto(nameUrl ?? "");
    const button = page.getByRole("button", { name: "Comments, 1 unread" });
    await button.waitFor();
    expect(parts).toEqual([]);
    await button.click();
    await panelOf(page).getByText("Are these figures final?").click();
    await page.getByRole("button", { name: "Comments", exact: true }).waitFor();
    expect(parts.length).toBe(2);
    expect(visitor.troubles).toEqual([]);
  });

  test("a reader of a public link is led through sign-in to where they can comment", async () => {
    const user = await service.build.user();
    const { link } = await publish(user.token, "public");
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    await page.goto(link);
    await page.getByRole("link", { name: "Sign in to comment" }).click();
    await panelOf(page).getByText("No comments yet.").waitFor();
  });

  test("a guest comments through a link that lets them, and sees the answer", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    await act.publish(user.token, { name, files: [{ path: "index.html", content: REPORT }] });
    const { url } = await guestsOf(service).create(user.token, { name, comments: true });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole("button", { name: "Comments" }).click();
    await panelOf(page).getByText("No comments yet.").waitFor();
    await panelOf(page).getByRole("button", { name: "Comment on the report" }).click();
    await panelOf(page).getByRole("textbox", { name: "Your name" }).fill("Eve");
    await panelOf(page).getByRole("textbox", { name: "Write a comment" }).fill("Is this final?");
    await panelOf(page).getByRole("button", { name: "Comment", exact: true }).click();
    await panelOf(page).getByRole("article").getByText("Eve (guest)").waitFor();
    expect(await panelOf(page).getByRole("button", { name: "Resolve" }).count()).toBe(0);
    expect(await panelOf(page).getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);

    const client = service.client(user.token);
    const { threads } = await client.call(commentsRoute, { query: { name } });
    await client.call(replyRoute, { body: { id: threads[0]?.id ?? "", text: "Yes, it is." } });
    await panelOf(page).getByText("Yes, it is.").waitFor();
    await context.close();
  });
});
