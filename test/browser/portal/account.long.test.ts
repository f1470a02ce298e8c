import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { PASSWORD } from "../../support/service.ts";
import { signIn } from "../../support/sessions.ts";
import { describeIf } from "../../support/skip.ts";
import { settled } from "../../support/until.ts";
import { createPeopleScene, expectFitForPhones, expectNoBarriers, fillSignIn, focused, said } from "./people-scene.ts";

describeIf("the account page", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit, visitUnknown } = scene;
  const signInLink = (path: string) => `${scene.service.baseUrl}/-/sign-in?next=${encodeURIComponent(path)}`;
  const sessions = (page: Page) => page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

  /** Waits until the page that is loaded next follows changes. A socket that is refused while it opens would be logged by the browser. */
  const follows = (page: Page) => page.waitForEvent("websocket").then((socket) => socket.waitForEvent("framereceived"));

  /** Loads a page again, and waits until it follows changes. */
  async function reload(page: Page): Promise<void> {
    const url = page.url();
    // Its earlier socket is none that is waited for.
    await page.goto("about:blank");
    const following = follows(page);
    await page.goto(url);
    await following;
  }

  test("the name is changed by keyboard and updates everywhere", async () => {
    const user = await scene.service.build.user();
    const page = await visit({ email: user.email, path: "/account" });
    const name = page.getByLabel("Name", { exact: true });
    await name.waitFor();
    await page.getByText(user.email).waitFor();
    await expectNoBarriers(page);
    await expectFitForPhones(page);
    const other = await visit({ email: user.email, path: `/w/${user.slug}/settings` });
    await other.getByLabel("Name", { exact: true }).waitFor();

    await name.fill("  ");
    await name.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Enter a name." }).waitFor();
    await settled(() => focused(page), "Name");
    await name.fill("Ada Lovelace");
    await name.press("Enter");
    await said(page, "Name saved");
    await page.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
    // The user's other page updates.
    await other.getByRole("button", { name: "Account of Ada Lovelace" }).waitFor();
    expect(await other.getByLabel("Name", { exact: true }).inputValue()).toBe("Ada Lovelace");
    expect(await page.title()).toBe("Account · Vitrine");
  });

  test("a new password signs out all other sessions", async () => {
    const user = await scene.service.build.user();
    const page = await visit({ email: user.email, path: "/account" });
    const other = await visit({ email: user.email, path: "/account/tokens" });
    await other.getByRole("heading", { name: "Access tokens" }).waitFor();
    const change = page.getByRole("button", { name: "Change password" });
    await change.click();
    await page.getByRole("alert").filter({ hasText: "Enter your current password." }).waitFor();
    await settled(() => focused(page), "Current password");
    await expectNoBarriers(page);

    await page.getByLabel("Current password", { exact: true }).fill("wrong horse");
    await page.getByLabel("New password", { exact: true }).fill("a new horse");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "Current password is incorrect." }).waitFor();
    await settled(() => focused(page), "Current password");
    await page.evaluate("globalThis.isSamePage = true");
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.keyboard.press("Enter");
    await said(page, "Password changed.");
    await other.waitForURL(signInLink("/-/account/tokens"));
    expect(await page.getByLabel("New password", { exact: true }).inputValue()).toBe("");
    expect(await signIn(scene.service, user).catch(({ message }) => message)).toContain("401");

    // The page continues with its new session and receives changes.
    await sessions(page).nth(1).waitFor({ state: "detached" });
    await fillSignIn(other, user.email, "a new horse");
    await other.getByRole("link", { name: "Account", exact: true }).click();
    await other.getByLabel("Name", { exact: true }).fill("Grace");
    await other.keyboard.press("Enter");
    await page.getByRole("button", { name: "Account of Grace" }).waitFor();
    expect(await page.evaluate("globalThis.isSamePage")).toBe(true);
  });

  test("what is refused while the password changes doesn't sign the user out", async () => {
    const { email } = await scene.service.build.user();
    const page = await visit({ email, path: "/account" });
    await reload(page);
    await page.route("**/api/auth/change-password", async (route) => {
      const request = route.request();
      const body = request.postData();
      // Outside the browser, which would know the new session at once.
      const answer = await fetch(request.url(), { method: "POST", headers: await request.allHeaders(), body });
      const refused = page.waitForResponse((response) => response.status() === 401);
      await page.getByRole("link", { name: "Access tokens" }).click();
      await refused;
      const headers = Object.fromEntries(answer.headers);
      await route.fulfill({ status: answer.status, headers, body: await answer.text() });
    });
    await page.getByLabel("Current password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("New password", { exact: true }).fill("a new horse");
    await page.keyboard.press("Enter");
    await said(page, "Password changed.");
    await page.getByRole("region", { name: "Your access tokens" }).waitFor();
    expect(page.url()).toBe(`${scene.service.baseUrl}/-/account/tokens`);
  });

  test("sessions are listed, and signed out one by one or together", async () => {
    const user = await scene.service.build.user();
    const page = await visitUnknown(signInLink("/-/account"));
    await fillSignIn(page, user.email);
    await sessions(page).first().filter({ hasText: "Chrome on Linux" }).filter({ hasText: "This browser" }).waitFor();
    const phone = await visit({ email: user.email, path: "/account" });
    await reload(phone);
    await page.reload();
    await sessions(page).nth(1).filter({ hasText: "Bun" }).filter({ hasText: "just now" }).waitFor();
    await page.getByRole("button", { name: "End the session of Bun" }).press("Enter");
    await phone.waitForURL(signInLink("/-/account"));
    await said(page, "Signed out Bun");
    expect(await sessions(page).count()).toBe(1);
    await settled(() => focused(page), "Sessions");
    expect(await page.getByRole("button", { name: "Sign out all others" }).count()).toBe(0);

    await signIn(scene.service, user);
    let following = follows(phone);
    await fillSignIn(phone, user.email);
    await sessions(phone).nth(2).waitFor();
    await following;
    await page.reload();
    await sessions(page).nth(2).waitFor();
    await page.getByRole("button", { name: "Sign out all others" }).click();
    await said(page, "Signed out 2 other sessions");
    await phone.waitForURL(signInLink("/-/account"));
    following = follows(phone);
    await fillSignIn(phone, user.email);
    await sessions(phone).nth(1).waitFor();
    await following;
    await phone.getByRole("button", { name: "Sign out everywhere" }).click();
    await phone.waitForURL(`${scene.service.baseUrl}/-/sign-in`);
    await page.waitForURL(signInLink("/-/account"));
  });

  test("a user without a password sees why", async () => {
    const user = await scene.service.build.user();
    const page = await visit({ email: user.email, path: "/account" });
    await page.getByLabel("Current password", { exact: true }).waitFor();
    await executeSql(
      scene.service.database,
      `update accounts set password = null where user_id = (select id from users where email = '${user.email}')`,
    );
    await page.reload();
    await page.getByText("You use single sign-on").waitFor();
    expect(await page.getByLabel("Current password", { exact: true }).count()).toBe(0);
    await expectNoBarriers(page);
  });
});
