import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { addOrganization } from "../../support/people.ts";
import { uniqueName } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { choose, createReportScene, expectNoBarriers, focusedText, framed, pageWith, undo } from "./report-scene.ts";

describeIf("the versions of a report", chromiumUnavailable(), () => {
  const scene = createReportScene();
  const { visit } = scene;

  async function openVersions(count: number, visibility: "public" | "private" = "private") {
    const user = await scene.service.build.user();
    const name = uniqueName();
    const codes = await scene.act.publishVersions(user.token, name, count, { visibility });
    const page = await visit({
      email: user.email,
      path: `/r/${name}`,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    return { user, name, codes, page };
  }

  const details = (page: Page) => page.getByRole("complementary", { name: "Details" });
  const rows = (page: Page) => details(page).getByRole("region", { name: "Versions" }).getByRole("listitem");
  const row = (page: Page, number: number) =>
    rows(page).filter({ has: page.getByRole("link", { name: `Version ${number}`, exact: true }) });
  const current = (page: Page, number: number) => row(page, number).getByText("Current", { exact: true });
  const focusedLabel = (page: Page) =>
    page.evaluate<string>(
      "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
    );
  const statesOf = async (token: string, name: string) =>
    (await scene.act.group(token, name)).versions.map(({ visibility }) => visibility);

  test("the newest versions are listed first, older ones on request, and new ones appear", async () => {
    const { user, name, page } = await openVersions(52);
    await current(page, 52).waitFor();
    expect(await rows(page).count()).toBe(5);
    await row(page, 52).getByText(`${user.slug} · just now`).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Show 47 older versions" }).press("Enter");
    await settled(() => rows(page).count(), 50);
    await settled(() => focusedText(page), "Version 47");
    await page.getByRole("button", { name: "Show 2 older versions" }).press("Enter");
    await settled(() => rows(page).count(), 52);
    await settled(() => focusedText(page), "Version 2");
    expect(await page.getByRole("button", { name: /older version/ }).count()).toBe(0);

    await scene.act.publish(user.token, { name, title: "Version 53", note: "Added returns" });
    await current(page, 53).waitFor();
    await row(page, 53).getByText("Added returns").waitFor();
    expect(await rows(page).count()).toBe(53);

    await page.reload();
    const shown = page.getByRole("group", { name: "Versions" }).getByRole("button", { name: /^Version \d+$/ });
    await shown.click();
    await page.getByRole("menuitemradio", { name: /^Version 1 / }).click();
    await settled(() => shown.innerText(), "Version 1");
  });

  test("older versions come although a new one is published while they are loaded", async () => {
    const { user, name, page } = await openVersions(51);
    await current(page, 51).waitFor();
    await scene.act.publish(user.token, { name, title: "Version 52" });
    await current(page, 52).waitFor();
    await page.getByRole("button", { name: "Show 47 older versions" }).press("Enter");
    await settled(() => rows(page).count(), 50);
    const asked = Promise.withResolvers<void>();
    const published = Promise.withResolvers<void>();
    await page.route(/[?&]before=/, async (route) => {
      asked.resolve();
      await published.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Show 2 older versions" }).press("Enter");
    await asked.promise;
    await scene.act.publish(user.token, { name, title: "Version 53" });
    await current(page, 53).waitFor();
    published.resolve();
    await settled(() => rows(page).count(), 53);
  });

  test("a version is restored at once, and that undone; newer ones stay in sight", async () => {
    const { user, name, codes, page } = await openVersions(3);
    const currentCode = async () => (await scene.act.group(user.token, name)).current_code;
    await current(page, 3).waitFor();
    await row(page, 1).getByRole("button", { name: "Restore version 1" }).click();
    await page.getByText("Version 1 restored. The live link shows it now.").waitFor();
    expect(await currentCode()).toBe(codes[0] ?? "");
    await current(page, 1).waitFor();
    await settled(() => focusedText(page), "Version 1");
    expect(await row(page, 3).getByText("Newer", { exact: true }).count()).toBe(1);
    await page.getByRole("button", { name: "Newer: v3" }).click();
    await page.getByText("Version 3. The live link shows version 1.").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await current(page, 3).waitFor();
    expect(await currentCode()).toBe(codes[2] ?? "");
    await page.getByRole("button", { name: "Newer: v3" }).waitFor({ state: "detached" });

    await choose(page, "Actions for version 2", "Restore");
    await current(page, 2).waitFor();
    await scene.act.publish(user.token, { name, title: "Version 4" });
    await current(page, 4).waitFor();
    // Taking it back now would hide what was published since.
    await undo(page, "Version 2 restored");
    await page.getByText("Couldn't undo").first().waitFor();
    expect((await scene.act.group(user.token, name)).versions[0]?.code).toBe(await currentCode());
  });

  test("one version of a private report is made public, and one of a public report private", async () => {
    const { user, name, page } = await openVersions(2);
    await choose(page, "Actions for version 1", "Make this version public");
    await row(page, 1).getByText("Public").waitFor();
    expect(await statesOf(user.token, name)).toEqual(["private", "public"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await row(page, 1).getByText("Public").waitFor({ state: "detached" });
    expect(await statesOf(user.token, name)).toEqual(["private", "private"]);

    await scene.act.setVisibility(user.token, { name, visibility: "public" });
    await details(page).getByText("Anyone with the link can view.").waitFor();
    await choose(page, "Actions for version 2", "Make this version private");
    await row(page, 2).getByText("Private").waitFor();
    expect(await statesOf(user.token, name)).toEqual(["private", "public"]);
    await page.getByText("The report is public, but its current version is private").waitFor();
    await expectNoBarriers(page);
  });

  test("a version is shown and compared, and its link copied", async () => {
    const { name, codes, page } = await openVersions(3, "public");
    await choose(page, "Actions for version 1", "Copy version link");
    await page.getByText("Version link copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(
      `${scene.service.contentUrl}/${codes[0]}/`,
    );
    await choose(page, "Actions for version 2", "Compare with previous version");
    await page.getByRole("button", { name: "From: Version 1" }).waitFor();
    await page.getByRole("button", { name: "To: Version 2" }).waitFor();
    await settled(() => focusedText(page), "Compare");
    await page.goBack();
    await choose(page, "Actions for version 1", "Compare with current version");
    await page.getByRole("button", { name: "From: Version 1" }).waitFor();
    await page.getByRole("button", { name: "To: Version 3, current" }).waitFor();
    await page.goBack();
    await row(page, 2).getByRole("link", { name: "Version 2" }).click();
    await page.getByRole("button", { name: "Version 2", exact: true }).waitFor();
    // A version's code leads to its report.
    await page.goto(`${scene.service.baseUrl}/-/r/${codes[0]}`);
    await page.waitForURL(`**/-/r/${name}?version=${codes[0]}`);
  });

  test("deleting a version asks first; deleting the last deletes the report", async () => {
    const { user, name, codes, page } = await openVersions(2);
    await choose(page, "Actions for version 2", "Delete…");
    await page.getByText("the live link will show the latest remaining version").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await settled(() => focusedLabel(page), "Actions for version 2");
    await choose(page, "Actions for version 2", "Delete…");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await row(page, 2).waitFor({ state: "detached" });
    await settled(() => focusedLabel(page), "Version 1");
    expect((await scene.act.group(user.token, name)).versions.map(({ code }) => code)).toEqual(codes.slice(0, 1));

    await choose(page, "Actions for version 1", "Delete…");
    await page.getByText("so the report is deleted too").waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.goto("about:blank");
    const left = async () => (await scene.act.list(user.token)).groups.map((group) => group.name);
    await settled(left, []);
  });

  test("deleting a report leaves its page only once the request is on its way", async () => {
    const { user, name, page } = await openVersions(1);
    await choose(page, "Actions for version 1", "Delete…");
    await page.getByText("so the report is deleted too").waitFor();
    const held = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    await page.route("**/*.js", async (route) => {
      held.resolve();
      await left.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await held.promise;
    expect(page.url()).toEndWith(`/r/${name}`);
    left.resolve();
    await page.waitForURL(`**/-/w/${user.slug}`);
    await page.goto("about:blank");
    await settled(async () => (await scene.act.list(user.token)).groups, []);
  });

  test("a reader without control sees what they can do, and why not more", async () => {
    const { slug, owner, member } = await addOrganization(scene.service);
    const token = await scene.service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const name = uniqueName();
    await scene.act.publish(token, { name, visibility: "org", files: [pageWith("Shared")] });
    await scene.act.publish(token, { name, files: [pageWith("Shared again")] });
    const page = await visit({ email: member.email, path: `/r/${name}` });
    await framed(page, "Shared again").waitFor();
    await details(page).getByText(`Members of The ${slug} can view.`).waitFor();
    await details(page).getByText("Only the publisher and workspace admins can change this.").waitFor();
    await page
      .getByRole("button", { name: /Switch workspace/ })
      .filter({ hasText: `The ${slug}` })
      .waitFor();
    expect(await details(page).getByRole("switch").count()).toBe(0);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Rename…" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /Delete|Visibility/ }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Actions for version 1" }).click();
    await page.getByRole("menuitem", { name: "Restore" }).waitFor();
    expect(await page.getByRole("menuitem", { name: /Delete|Make this version/ }).count()).toBe(0);
    await page.keyboard.press("Escape");

    await page.goto(`${scene.service.baseUrl}/-/r/${name}`);
    await framed(page, "Shared again").waitFor();
    await scene.act.setVisibility(token, { name, visibility: "private" });
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    await expectNoBarriers(page);
  });

  test("renames are followed, deletions are shown, and unknown reports aren't found", async () => {
    const { user, name, page } = await openVersions(1);
    await row(page, 1).waitFor();
    const renamed = uniqueName("renamed");
    await scene.act.rename(user.token, name, renamed);
    await page.waitForURL(`**/-/r/${renamed}`);
    await row(page, 1).waitFor();
    await scene.act.deleteGroup(user.token, renamed);
    await page.getByRole("heading", { name: "This report is no longer available" }).waitFor();
    await page.getByRole("link", { name: "Show all reports" }).click();
    await page.waitForURL(`**/-/w/${user.slug}`);

    await page.goto(`${scene.service.baseUrl}/-/r/${name}`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await expectNoBarriers(page);
    const { code } = await scene.act.publish(user.token);
    await page.route("**/api/item?*", (route) => route.fulfill({ status: 429, json: { error: "Too many requests." } }));
    await page.goto(`${scene.service.baseUrl}/-/r/${code}`);
    await page.getByText("Too many requests.").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "A report" }).waitFor();
    await page.goto(`${scene.service.baseUrl}/-/r/${code}?version=${"A".repeat(16)}`);
    await page.getByRole("heading", { name: "This version isn't available" }).waitFor();
    await page.getByRole("button", { name: "Show current version" }).click();
    await page.locator("iframe").waitFor();
  });
});
