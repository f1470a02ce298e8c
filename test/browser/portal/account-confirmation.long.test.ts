import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { oidcEnvironment, startOidcProvider } from "../../hosts/app/people/oidc-provider.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { PASSWORD, useService } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { use } from "../../support/use.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, focused, said } from "./people-scene.ts";

/** Directory for screenshots, if set. */
const { VITRINE_TEST_PICTURES: PICTURES } = process.env;

describeIf("identity confirmation", chromiumUnavailable(), () => {
  const provider = use(startOidcProvider);
  const scene = createPeopleScene(useService(() => ({ environment: oidcEnvironment(provider.issuer) })));

  const dialog = (page: Page, title: string) => page.getByRole("dialog", { name: title });
  const asking = (page: Page) => dialog(page, "Confirm your identity");

  const change = (email: string, statement: (who: string) => string) =>
    executeSql(scene.service.database, statement(`(select id from users where email = '${email}')`));
  const letAnHourPass = (email: string) =>
    change(email, (who) => `update sessions set authenticated_at = 1 where user_id = ${who}`);

  async function shoot(page: Page, name: string): Promise<void> {
    if (PICTURES === undefined) return;
    const before = page.viewportSize();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
        await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${width}.png` });
      }
    }
    await page.emulateMedia({ colorScheme: null });
    if (before !== null) await page.setViewportSize(before);
  }

  test("creating a token asks for the password after an hour and then continues", async () => {
    const { email } = await scene.service.build.user();
    const page = await scene.visit({ email, path: "/account/tokens" });
    await page.getByRole("heading", { name: "Access tokens" }).waitFor();
    await letAnHourPass(email);
    await page.getByRole("button", { name: "Create access token" }).press("Enter");
    await asking(page).waitFor();
    await settled(() => focused(page), "Password");
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    await shoot(page, "confirm-password");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter your password." }).waitFor();
    await page.keyboard.type("wrong horse");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Password is incorrect." }).waitFor();
    await settled(() => focused(page), "Password");
    await shoot(page, "confirm-password-wrong");
    await asking(page).getByRole("button", { name: "Cancel" }).click();
    await asking(page).waitFor({ state: "detached" });
    await settled(() => focused(page), "Create access token");
    expect(await dialog(page, "Create an access token").count()).toBe(0);

    await page.getByRole("button", { name: "Create access token" }).press("Enter");
    await asking(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await dialog(page, "Create an access token").waitFor();
    await asking(page).waitFor({ state: "detached" });
    await page.getByLabel("Name", { exact: true }).fill("Nightly build");

    // The hour passes while the dialog is open, and the typed values remain.
    await letAnHourPass(email);
    await page.getByRole("button", { name: "Create token" }).click();
    await asking(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await shoot(page, "confirm-above-new-token");
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Access token", { exact: true }).inputValue()).toStartWith("vtr_");
  });

  test("the connect page asks too", async () => {
    const { email } = await scene.service.build.user();
    const page = await scene.visit({ email, path: "/connect" });
    await letAnHourPass(email);
    await page.getByRole("button", { name: "Create access token" }).click();
    await asking(page).getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    expect(await page.getByLabel("Your access token").inputValue()).toStartWith("vtr_");
  });

  test("a user without a password confirms by single sign-on and returns to the page", async () => {
    const { email } = await scene.service.build.user();
    await provider.tell(email, { email, email_verified: true });
    const page = await scene.visitUnknown(`${scene.service.baseUrl}/-/sign-in?next=%2F-%2Faccount%2Ftokens`);
    const signInThere = async () => {
      await page.waitForURL(`${provider.issuer}/**`);
      await page.getByPlaceholder("Enter any login").fill(email);
      await page.getByPlaceholder("and password").fill("any");
      await page.getByRole("button", { name: "Sign-in" }).click();
    };
    await page.getByRole("button", { name: "Continue with single sign-on" }).click();
    await signInThere();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("heading", { name: "Access tokens" }).waitFor();
    await change(email, (who) => `update accounts set password = null where user_id = ${who}`);
    await letAnHourPass(email);
    await page.reload();
    await page.getByRole("button", { name: "Create access token" }).click();
    await asking(page).getByRole("button", { name: "Continue with single sign-on" }).waitFor();
    await expectNoBarriers(page);
    await shoot(page, "confirm-single-sign-on");
    await asking(page).getByRole("button", { name: "Continue with single sign-on" }).click();
    await signInThere();
    await page.waitForURL(`${scene.service.baseUrl}/-/account/tokens`);
    await page.getByRole("button", { name: "Create access token" }).click();
    await dialog(page, "Create an access token").waitFor();
    expect(await asking(page).count()).toBe(0);
  });

  test("changing the password can revoke access tokens", async () => {
    const { email, token } = await scene.service.build.user();
    const status = async () => {
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${scene.service.baseUrl}/api/list`, { headers })).status;
    };
    const page = await scene.visit({ email, path: "/account" });
    const box = page.getByRole("checkbox", { name: "Also revoke all access tokens" });
    expect(await box.isChecked()).toBe(false);
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("New password", { exact: true }).fill("a new horse");
    await box.scrollIntoViewIfNeeded();
    await shoot(page, "password-section");
    await page.keyboard.press("Enter");
    await said(page, "Password changed. You were signed out everywhere else.");
    expect(await status()).toBe(200);

    await page.getByLabel("Current password", { exact: true }).fill("a new horse");
    await page.getByLabel("New password", { exact: true }).fill("another new horse");
    await box.check();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Change password" }).click();
    await said(page, "your access tokens were revoked");
    expect(await status()).toBe(401);
    expect(await box.isChecked()).toBe(false);
  });
});
