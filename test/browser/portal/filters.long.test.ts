import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { accountRoute } from "../../../src/contract/people/account.ts";
import { createOrganizationRoute } from "../../../src/contract/people/organizations.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { expectTitles, fillWorkspace } from "./list-scene.ts";
import { createReportScene, expectNoBarriers, undo } from "./report-scene.ts";

describeIf("filters of the first page", chromiumUnavailable(), () => {
  const scene = createReportScene();

  async function pick(page: Page, ...labels: readonly string[]): Promise<void> {
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    for (const label of labels) await page.getByRole("option", { name: label }).click();
  }

  test("are saved under a name, applied from the sidebar, renamed and deleted, with undo", async () => {
    const user = await scene.service.build.user();
    const wanted = [
      { title: "Apples", tags: ["Fresh"], visibility: "public" },
      { title: "Bananas", tags: ["Fresh"] },
      { title: "Carrots" },
    ] as const;
    await fillWorkspace(scene.service, user, wanted);
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}` });
    await expectTitles(page, ["Carrots", "Bananas", "Apples"]);
    await pick(page, "Tag…", "Fresh");
    await pick(page, "Visibility…", "Public");
    await expectTitles(page, ["Apples"]);
    await page.getByRole("button", { name: "Save filter…" }).click();
    const name = page.getByRole("dialog").getByRole("textbox", { name: "Name" });
    await settled(() => name.inputValue(), "Fresh, Visibility: Public");
    await expectNoBarriers(page);
    await name.fill("Published fruit");
    await page.keyboard.press("Enter");
    await page.getByText("Filter Published fruit saved").waitFor();
    const list = page.getByRole("list", { name: "Saved filters" });
    const saved = (title: string) => list.getByRole("link", { name: title });
    await settled(() => saved("Published fruit").getAttribute("aria-current"), "page");

    await page.getByRole("button", { name: "Clear filters" }).click();
    await expectTitles(page, ["Carrots", "Bananas", "Apples"]);
    expect(await saved("Published fruit").getAttribute("aria-current")).toBeNull();
    await saved("Published fruit").click();
    await expectTitles(page, ["Apples"]);
    await page.reload();
    await expectTitles(page, ["Apples"]);

    await saved("Published fruit").focus();
    await page.getByRole("button", { name: "Actions for Published fruit" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: "New name of Published fruit" }).fill("Fruit");
    await page.keyboard.press("Enter");
    await saved("Fruit").waitFor();
    await expectNoBarriers(page);
    await saved("Fruit").focus();
    await page.getByRole("button", { name: "Actions for Fruit" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Filter Fruit deleted").waitFor();
    await list.waitFor({ state: "detached" });
    await undo(page, "Filter Fruit deleted");
    await saved("Fruit").click();
    await expectTitles(page, ["Apples"]);
  });

  test("narrow the list down to an author and to dates", async () => {
    const { slug, owner, members } = await scene.service.build.organization({ roles: ["member"] });
    const [member] = members;
    if (member === undefined) throw new Error("The organization has no member.");
    const shared = async (by: { slug: string }, title: string) => {
      const token = await scene.service.build.token({ userSlug: by.slug, workspaceSlug: slug });
      await fillWorkspace(scene.service, { slug, token }, [{ title, visibility: "public" }]);
    };
    await shared(owner, "Plums");
    await shared(member, "Quinces");
    const page = await scene.visit({ email: `${owner.slug}@example.org`, path: `/w/${slug}` });
    await expectTitles(page, ["Quinces", "Plums"]);
    await pick(page, "Author…", member.slug);
    await expectTitles(page, ["Quinces"]);
    await page.waitForURL((url) => url.searchParams.get("author") === member.slug);
    await expectNoBarriers(page);
    await page.getByRole("button", { name: `Author: ${member.slug}` }).press("Enter");
    await expectTitles(page, ["Quinces", "Plums"]);

    const filterBy = page.getByRole("combobox", { name: "Filter by" });
    await pick(page, "Updated…", "past day");
    await page.waitForURL((url) => url.searchParams.get("age") === "1d");
    await expectTitles(page, ["Quinces", "Plums"]);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await filterBy.fill("2026-01-31");
    await page.getByRole("option", { name: "before 2026-01-31" }).click();
    await page.getByText("No reports match these filters").waitFor();
    await page.getByRole("button", { name: /^Updated before 2026-01-31/ }).waitFor();
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await filterBy.fill("2026-01-30");
    await page.getByRole("option", { name: "since 2026-01-30" }).click();
    await page.getByRole("button", { name: /^Updated before/ }).press("Enter");
    await expectTitles(page, ["Quinces", "Plums"]);
    await page.getByRole("button", { name: /^Updated since 2026-01-30/ }).waitFor();
  });

  test("don't hide that samples are removed in one click, with undo", async () => {
    const user = await scene.service.build.user();
    const page = await scene.visit({ email: user.email, path: `/w/${user.slug}` });
    await page.getByRole("button", { name: "Try with sample reports" }).click();
    const notice = page.getByRole("region", { name: "Sample reports" });
    await notice.getByText("3 sample reports").waitFor();
    await settled(() => page.getByRole("gridcell").getByRole("link").count(), 3);
    await expectNoBarriers(page);
    await notice.getByRole("button", { name: "Remove samples" }).click();
    await page.getByText("3 sample reports removed").waitFor();
    await page.getByRole("heading", { name: "Publish your first report" }).waitFor();
    await notice.waitFor({ state: "detached" });
    await undo(page, "3 sample reports removed");
    await notice.getByText("3 sample reports").waitFor();
    await settled(() => page.getByRole("gridcell").getByRole("link").count(), 3);
  });

  test("an organization created here shares new reports with members, until its settings say otherwise", async () => {
    const user = await scene.service.build.user();
    const page = await scene.visit({ email: user.email, path: "/account/organizations" });
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(`Fruit of ${user.slug}`);
    const slug = await page.getByRole("textbox", { name: "Short name" }).inputValue();
    await page.getByRole("button", { name: "Create organization" }).click();
    await page.waitForURL((url) => url.pathname === `/-/w/${slug}`);
    const client = scene.service.client(user.token);
    const defaultOf = async (owner: string) =>
      (await client.call(accountRoute)).workspaces.find((workspace) => workspace.slug === owner)?.default_visibility;
    expect(await defaultOf(slug)).toBe("org");
    const made = `made-${slug}`.slice(0, 30);
    await client.call(createOrganizationRoute, { body: { slug: made, name: "Made by a program" } });
    expect(await defaultOf(made)).toBe("private");

    await page.goto(`${scene.service.baseUrl}/-/w/${slug}/settings`);
    const choices = page.getByRole("radiogroup", { name: "Who can view new reports" });
    expect(await choices.getByRole("radio", { name: /^Organization/ }).isChecked()).toBe(true);
    await choices.getByRole("radio", { name: /^Private/ }).check();
    await page.getByText("New reports will be private").waitFor();
    expect(await defaultOf(slug)).toBe("private");
    await expectNoBarriers(page);
  });
});
