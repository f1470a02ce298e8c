import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { buildUpload } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, focused, said } from "./people-scene.ts";

describeIf("the access tokens page", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;
  const dialog = (page: Page) => page.getByRole("dialog");
  const box = (page: Page, scope: string) => page.getByRole("checkbox", { name: new RegExp(`^${scope}`) });

  /** Opens the page as a user without tokens. */
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
    await page.getByRole("heading", { name: "No access tokens yet" }).waitFor();
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

  test("a token is created by keyboard, shown once, works, and stops working when revoked", async () => {
    const { slug, page } = await newcomer();
    await expectNoBarriers(page);
    expect(await page.getByRole("link", { name: "Connect an agent or CI" }).getAttribute("href")).toBe("/-/connect");
    await page.getByRole("button", { name: "Create access token" }).press("Enter");
    await dialog(page).waitFor();
    await settled(() => focused(page), "Name");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter a name" }).waitFor();
    await expectNoBarriers(page);
    await page.keyboard.type("Nightly build");
    await page.keyboard.press("Enter");

    const field = page.getByLabel("Access token", { exact: true });
    await field.waitFor();
    const token = await field.inputValue();
    expect(token).toMatch(/^vtr_[0-9A-Za-z]{49}$/);
    await settled(() => focused(page), "Access token");
    await page.getByText("It won't be shown again").waitFor();
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    expect(await dialog(page).getByRole("button").allTextContents()).toEqual(["Done", "Copy access token"]);
    await page.getByRole("button", { name: "Copy access token" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(token);
    expect(await statusOf(token)).toBe(200);
    await page.getByRole("button", { name: "Done" }).click();
    await dialog(page).waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(token);
    await settled(() => focused(page), "Create access token");

    await page.reload();
    const row = page.getByRole("row", { name: /Nightly build/ });
    await row.waitFor();
    for (const text of [slug, "read", "write", "just now"])
      await row.getByText(text, { exact: true }).first().waitFor();
    await page.getByRole("button", { name: "Revoke Nightly build" }).click();
    await dialog(page).getByRole("heading", { name: "Revoke access token Nightly build?" }).waitFor();
    await settled(() => focused(page), "Cancel");
    await expectNoBarriers(page);
    await page.keyboard.press("Escape");
    expect(await statusOf(token)).toBe(200);
    await page.getByRole("button", { name: "Revoke Nightly build" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await said(page, "Access token Nightly build revoked");
    await page.getByRole("heading", { name: "No access tokens yet" }).waitFor();
    await dialog(page).waitFor({ state: "detached" });
    expect(await page.evaluate<boolean>("document.activeElement !== document.body")).toBe(true);
    expect(await statusOf(token)).toBe(401);
  });

  test("a token has the chosen scopes, workspace and expiry", async () => {
    const { slug, page, email } = await newcomer();
    const organization = await scene.service.build.organization();
    await scene.service.build.accounts.addMember({
      organizationSlug: organization.slug,
      userSlug: slug,
      role: "member",
    });
    await page.reload();
    const make = async (name: string) => {
      await page.getByRole("button", { name: "Create access token" }).click();
      await page.getByLabel("Name", { exact: true }).fill(name);
    };
    const finish = async () => {
      await page.getByRole("button", { name: "Create token" }).click();
      const token = await page.getByLabel("Access token", { exact: true }).inputValue();
      await page.getByRole("button", { name: "Done" }).click();
      await dialog(page).waitFor({ state: "detached" });
      return token;
    };
    await make("Reader");
    expect([await box(page, "Read").isChecked(), await box(page, "Read").isDisabled()]).toEqual([true, true]);
    await box(page, "Write").uncheck();
    await box(page, "Read").uncheck();
    await page.getByLabel("Expires in").selectOption("Custom");
    for (const days of ["", "0", "1.5", "soon", "3651"]) {
      await page.getByLabel("Days").fill(days);
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("alert").filter({ hasText: "Enter a whole number" }).waitFor();
    }
    await page.getByRole("alert").filter({ hasText: "Choose at least one scope." }).waitFor();
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
    await page.getByText("It won't expire. You can revoke it at any time.").waitFor();
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
    await phone.getByRole("button", { name: "Create access token" }).click();
    await expectFitForPhones(phone);
  });
});
