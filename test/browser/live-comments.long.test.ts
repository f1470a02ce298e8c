import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { actionsOf } from "../hosts/app/actions.ts";
import { chromiumUnavailable, useBrowser } from "../support/chromium.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { findBarriers, openPortal } from "./portal/portal.ts";

const pageOf = (text: string) => [
  { path: "index.html", content: `<!doctype html><title>Sales</title><h1>Sales</h1><p id="text">${text}</p>` },
];

describeIf("comments in live links, between readers", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();
  const act = actionsOf(service);

  const panelOf = (page: Page) => page.getByRole("region", { name: "Comments" });

  async function post(token: string, path: string, body: object) {
    const response = await fetch(`${service.baseUrl}/api/comments/${path}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    return response.json();
  }

  test("a comment is soon seen by another reader, who replies, resolves, reopens and deletes by keyboard", async () => {
    const { slug, members } = await service.build.organization({ roles: ["member"] });
    const [author] = members;
    const reader = await service.build.user();
    await service.build.accounts.addMember({ organizationSlug: slug, userSlug: reader.slug, role: "admin" });
    const token = author?.token ?? "";
    const { code, nameUrl = "" } = await act.publish(token, { name: uniqueName(), files: pageOf("Revenue rose.") });
    await using visitor = await openPortal(browser, service, reader.email, { path: "/account/tokens" });
    const { page } = visitor;
    await page.goto(nameUrl);
    await page.keyboard.press("m");
    await panelOf(page).getByText("No comments yet.").waitFor();
    const times: number[] = [];
    for (let number = 1; number <= 5; number++) {
      const text = `Comment number ${number}`;
      await page.evaluate(`{
        globalThis.seen = undefined;
        const observer = new MutationObserver(() => {
          if (!document.querySelector(".comment-panel").textContent.includes(${JSON.stringify(text)})) return;
          globalThis.seen ??= Date.now();
        });
        observer.observe(document.querySelector(".comment-panel"), { childList: true, subtree: true, characterData: true });
      }`);
      const sent = Date.now();
      await post(token, "create", { code, text });
      times.push((await until(() => page.evaluate<number | undefined>("globalThis.seen"))) - sent);
    }
    console.log(`Another reader sees a comment, from the request that adds it, after ${times.join(", ")} ms.`);
    const thread = panelOf(page).getByRole("article").first();
    await thread.focus();
    await page.keyboard.press("r");
    await page.keyboard.type(`Thanks, @${author?.slug}`);
    await page.keyboard.press("Control+Enter");
    // The list of people to mention shows the name too, before the reply is there.
    const reply = thread.getByRole("listitem").filter({ hasText: `Thanks, @${author?.slug}` });
    await reply.getByRole("button", { name: "Delete" }).click();
    await reply.getByRole("button", { name: "Delete comment?" }).click();
    await reply.waitFor({ state: "detached" });
    await thread.focus();
    await page.keyboard.press("e");
    await panelOf(page).getByText("Resolved", { exact: true }).first().click();
    await panelOf(page).locator(".resolved > .thread").first().focus();
    await page.keyboard.press("e");
    await panelOf(page).locator(".resolved > .thread").waitFor({ state: "detached" });
    expect(await findBarriers(page)).toEqual([]);
    expect(visitor.troubles).toEqual([]);
  });

  test("a thread whose text is gone shows the version that had it", async () => {
    const user = await service.build.user();
    const name = uniqueName();
    const { code, nameUrl = "" } = await act.publish(user.token, { name, files: pageOf("Revenue rose in March.") });
    const anchor = {
      kind: "text",
      path: "index.html",
      quote: "Revenue rose in March.",
      prefix: "",
      suffix: "",
      start: 6,
      end: 28,
      headings: ["Sales"],
    };
    await post(user.token, "create", { code, text: "Why?", anchor });
    await act.publish(user.token, { name, files: pageOf("Nothing of the kind can be found here any more.") });
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens" });
    const { page } = visitor;
    await page.goto(nameUrl);
    await page.keyboard.press("m");
    await panelOf(page).getByRole("button", { name: "Show in version 1" }).click();
    await page.locator("iframe:not(.waiting)").last().contentFrame().getByText("Revenue rose in March.").waitFor();
    await until(async () => page.frames().some((frame) => frame.url().includes(`/${code}/`)));
    expect(visitor.troubles).toEqual([]);
  });

  test("on a phone, comments are a sheet below the report, with targets for fingers", async () => {
    const user = await service.build.user();
    const { nameUrl = "" } = await act.publish(user.token, { name: uniqueName(), files: pageOf("Revenue rose.") });
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    await using visitor = await openPortal(browser, service, user.email, { path: "/account/tokens", ...phone });
    const { page } = visitor;
    await page.goto(nameUrl);
    await page.getByRole("button", { name: /^Report by / }).tap();
    await page.getByRole("button", { name: "Comments" }).tap();
    await panelOf(page).getByRole("button", { name: "Comment on the report" }).tap();
    await panelOf(page).getByRole("textbox", { name: "Write a comment" }).fill("Are these final?");
    await panelOf(page).getByRole("button", { name: "Comment", exact: true }).tap();
    await panelOf(page).getByRole("article").getByText("Are these final?").waitFor();
    const [sheet, report] = [await panelOf(page).boundingBox(), await page.locator("iframe").last().boundingBox()];
    expect(sheet).toMatchObject({ x: 0, width: 390 });
    expect(report?.width).toBe(390);
    expect(Math.round((report?.y ?? 0) + (report?.height ?? 0))).toBeLessThanOrEqual(Math.round(sheet?.y ?? 0));
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
    const heights = await panelOf(page)
      .getByRole("button")
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
    // The bar makes room for the sheet, but screen readers keep the page's heading.
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await findBarriers(page)).toEqual([]);
    await panelOf(page).getByRole("button", { name: "Close comments" }).tap();
    await panelOf(page).waitFor({ state: "detached" });
    expect(visitor.troubles).toEqual([]);
  });
});
