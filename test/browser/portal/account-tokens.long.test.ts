import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { buildUpload } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, focused, said } from "./people-scene.ts";

describeIf("the page of API tokens", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;
  const dialog = (page: Page) => page.getByRole("dialog");
  const box = (page: Page, scope: string) => page.getByRole("checkbox", { name: new RegExp(`^${scope}`) });

  /** Somebody with a workspace and no token, who looks at the page. */
  async function newcomer(more: { viewport?: { width: number; height: number } } = {}) {
    const { accounts } = scene.service.build;
    const slug = `maker-${crypto.randomUUID().slice(0, 8)}`;
    const email = `${slug}@example.org`;
    await accounts.createUser({ email, slug, password: "correct horse" });
    const page = await visit({
      email,
      path: "/account/tokens",
      permissions: ["clipboard-read", "clipboard-write"],
      ...more,
    });
    await page.getByRole("heading", { name: "No tokens yet" }).waitFor();
    return { slug, email, page };
  }

  const statusOf = async (token: string) => {
    const answer = await fetch(`${scene.service.baseUrl}/api/upload`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(buildUpload()),
    });
    return answer.status;
  };

  test("a token is made by keyboard, shown once, works, and no more when it is revoked", async () => {
    const { slug, page } = await newcomer();
    await expectNoBarriers(page);
    expect(await page.getByRole("link", { name: "How to connect" }).getAttribute("href")).toBe("/-/connect");
    await page.getByRole("button", { name: "New token" }).press("Enter");
    await dialog(page).waitFor();
    await settled(() => focused(page), "Name");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Give it a name" }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.type("Nightly build");
    await page.keyboard.press("Enter");

    const field = page.getByLabel("Token", { exact: true });
    await field.waitFor();
    const token = await field.inputValue();
    expect(token).toMatch(/^vtr_[0-9A-Za-z]{49}$/);
    await settled(() => focused(page), "Token");
    await page.getByText("it is not shown again").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await dialog(page).getByRole("button").allTextContents()).toEqual(["Copy token", "Done"]);
    await page.getByRole("button", { name: "Copy token" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(token);
    expect(await statusOf(token)).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(token);
    await settled(() => focused(page), "New token");

    await page.reload();
    const row = page.getByRole("row", { name: /Nightly build/ });
    await row.waitFor();
    for (const text of [slug, "read", "write", "just now"])
      await row.getByText(text, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Revoke Nightly build" }).click();
    await dialog(page).getByRole("heading", { name: "Revoke Nightly build?" }).waitFor();
    await settled(() => focused(page), "Cancel");
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    expect(await statusOf(token)).toBe(200);
    await page.getByRole("button", { name: "Revoke Nightly build" }).click();
    await page.getByRole("button", { name: "Revoke token" }).click();
    await said(page, "Nightly build is revoked.");
    await page.getByRole("heading", { name: "No tokens yet" }).waitFor();
    await dialog(page).waitFor({ state: "detached" });
    expect(await page.evaluate<boolean>("document.activeElement !== document.body")).toBe(true);
    expect(await statusOf(token)).toBe(401);
  });

  test("a token may do what was chosen, where it was chosen, for as long as was chosen", async () => {
    const { slug, page, email } = await newcomer();
    const organization = await scene.service.build.organization();
    await scene.service.build.accounts.addMember({
      organizationSlug: organization.slug,
      userSlug: slug,
      role: "member",
    });
    await page.reload();
    const make = async (name: string) => {
      await page.getByRole("button", { name: "New token" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
    };
    const finish = async () => {
      await page.getByRole("button", { name: "Make token" }).click();
      const token = await page.getByLabel("Token", { exact: true }).inputValue();
      await page.getByRole("button", { name: "Done" }).click();
      await dialog(page).waitFor({ state: "detached" });
      return token;
    };
    await make("Reader");
    expect([await box(page, "Read").isChecked(), await box(page, "Read").isDisabled()]).toEqual([true, true]);
    await box(page, "Write").uncheck();
    await box(page, "Read").uncheck();
    await page.getByLabel("Expires in").selectOption("Another number of days");
    for (const days of ["", "0", "1.5", "soon", "3651"]) {
      await page.getByLabel("Days").fill(days);
      await page.getByRole("button", { name: "Make token" }).click();
      await page.getByRole("alert").filter({ hasText: "Give a whole number" }).waitFor();
    }
    await page.getByRole("alert").filter({ hasText: "Choose what it may do." }).waitFor();
    await expectNoBarriers(page);
    await box(page, "Read").check();
    await page.getByLabel("Days").fill("3");
    const reader = await finish();
    expect(await statusOf(reader)).toBe(403);
    await page
      .getByRole("row", { name: /Reader/ })
      .filter({ hasText: "in 3 days" })
      .filter({ hasText: "Soon" })
      .waitFor();
    await expectNoBarriers(page);

    await make("Robot");
    await page.getByLabel("Workspace").selectOption(organization.slug);
    await box(page, "Delete").check();
    await page.getByLabel("Expires in").selectOption("Never");
    await page.getByText("It works until you revoke it.").waitFor();
    const robot = await finish();
    expect(await statusOf(robot)).toBe(200);
    const cells = page.getByRole("row", { name: /Robot/ }).getByRole("cell");
    expect((await cells.allTextContents()).slice(0, 4)).toEqual([
      organization.slug,
      "readwritedelete",
      "just now",
      "Never",
    ]);

    const phone = await visit({ email, path: "/account/tokens", viewport: { width: 390, height: 844 } });
    await phone.getByRole("listitem").filter({ hasText: "Robot" }).waitFor();
    await expectFitForPhones(phone);
    await phone.getByRole("button", { name: "New token" }).click();
    await expectFitForPhones(phone);
  });
});
