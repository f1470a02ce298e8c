import { expect, test } from "bun:test";
import {
  commentsRoute,
  createThreadRoute,
  deleteCommentRoute,
  replyRoute,
} from "../../../src/contract/reviews/threads.ts";
import { chromiumUnavailable, useBrowser } from "../../support/chromium.ts";
import { publishFiles } from "../../support/content.ts";
import { useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import { findBarriers, openPortal } from "./portal.ts";

const page = (revenue: string) =>
  `<!doctype html><title>Sales</title><h1>Sales</h1><p id="revenue">Revenue rose to <b>${revenue}</b> in March, driven by new contracts.</p>`;

describeIf("comments beside a report", chromiumUnavailable(), () => {
  const service = useService();
  const browser = useBrowser();

  test("a reader comments on selected text, replies, edits, resolves and deletes, by keyboard", async () => {
    const user = await service.build.user();
    const code = await publishFiles(service, user.token, { "index.html": page("1,204") });
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${code}?comments` });
    const { page: portal } = visitor;
    const panel = portal.getByRole("region", { name: "Comments" });
    await panel.getByText("No comments yet.").waitFor();
    const report = await until(async () => portal.frames().find((frame) => frame.url().includes("/~framed/")));
    await report.locator("#revenue").waitFor();
    // The bridge's code for comments loads after the page.
    const comment = panel.getByRole("button", { name: "Comment on selection" });
    await until(async () => {
      await report.evaluate(
        `getSelection().removeAllRanges(), getSelection().selectAllChildren(document.querySelector("b"))`,
      );
      return comment.waitFor({ timeout: 1_000 }).then(
        () => true,
        () => false,
      );
    });
    await comment.click();
    await portal.keyboard.type("Is this **before** returns? <img src=x onerror=alert(1)>");
    await portal.keyboard.press("Control+Enter");
    const thread = panel.getByRole("article");
    await thread.locator(".text strong", { hasText: "before" }).waitFor();
    expect(await panel.locator("img").count()).toBe(0);
    await until(() => report.evaluate<boolean>(`CSS.highlights.get("vitrine-comment")?.size === 1`));

    await thread.focus();
    await portal.keyboard.press("r");
    await portal.keyboard.type("Yes.");
    await portal.keyboard.press("Control+Enter");
    await thread.getByText("Yes.").waitFor();
    await thread.getByRole("button", { name: "Edit" }).last().click();
    await portal.keyboard.press("End");
    await portal.keyboard.type(" Before.");
    await portal.keyboard.press("Control+Enter");
    await thread.getByText("Yes. Before.").waitFor();
    expect(await findBarriers(portal)).toEqual([]);
    await thread.focus();
    await portal.keyboard.press("e");
    await panel.getByText("Resolved", { exact: true }).first().waitFor();
    await panel.getByRole("button", { name: "Turn off comments" }).click();
    await panel.getByRole("button", { name: "Turn on comments" }).waitFor();
    expect(await panel.getByRole("button", { name: "Comment on", exact: false }).count()).toBe(0);
    expect(visitor.troubles).toEqual([]);
  });

  test("a reader who goes on before an answer arrives stays where they are", async () => {
    const user = await service.build.user();
    const code = await publishFiles(service, user.token, { "index.html": page("1,204") });
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${code}?comments` });
    const { page: portal } = visitor;
    const panel = portal.getByRole("region", { name: "Comments" });
    const late = Promise.withResolvers<void>();
    await portal.route("**/api/comments/create", async (route) => {
      const response = await route.fetch();
      await late.promise;
      await route.fulfill({ response });
    });
    await panel.getByRole("button", { name: "Comment on the report" }).press("Enter");
    await portal.keyboard.type("Is this final?");
    await portal.keyboard.press("Control+Enter");
    // The others' changes come on another way, and are faster.
    const thread = panel.getByRole("article");
    await thread.getByText("Is this final?").waitFor();
    await thread.focus();
    await portal.keyboard.press("r");
    await portal.keyboard.type("I ");
    late.resolve();
    await panel.getByRole("textbox", { name: "Write a comment" }).waitFor({ state: "detached" });
    await portal.keyboard.type("think so.");
    await portal.keyboard.press("Control+Enter");
    await thread.getByText("I think so.").waitFor();
    expect(visitor.troubles).toEqual([]);
  });

  test("others who have the report open see at once what is added and deleted, without reading all again", async () => {
    const user = await service.build.user();
    const code = await publishFiles(service, user.token, { "index.html": page("1,204") });
    const { call } = service.client(user.token);
    await using visitor = await openPortal(browser, service, user.email, { path: `/r/${code}?comments` });
    const { page: portal } = visitor;
    const asked: (string | null)[] = [];
    portal.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === commentsRoute.path) asked.push(searchParams.get("since"));
    });
    const panel = portal.getByRole("region", { name: "Comments" });
    await panel.getByText("No comments yet.").waitFor();
    const started = asked.length;
    const [first, second] = [
      await call(createThreadRoute, { body: { code, text: "Are these figures final?" } }),
      await call(createThreadRoute, { body: { code, text: "Before returns?" } }),
    ];
    await panel.getByText("Are these figures final?").waitFor();
    await panel.getByText("Before returns?").waitFor();
    expect(asked.slice(started)).not.toContain(null);
    await call(deleteCommentRoute, { body: { id: first.comments[0]?.id ?? "" } });
    await panel.getByText("Are these figures final?").waitFor({ state: "detached" });
    await call(replyRoute, { body: { id: second.id, text: "After returns." } });
    await panel.getByText("After returns.").waitFor();
    expect(await panel.getByRole("article").count()).toBe(1);
  });
});
