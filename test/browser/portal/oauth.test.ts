import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { z } from "zod";
import { deviceSchema, oauthActions, sendForm, tokensSchema } from "../../hosts/app/oauth/oauth-support.ts";
import { chromiumUnavailable } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { createPeopleScene, expectNoBarriers, said } from "./people-scene.ts";

describeIf("connecting apps", chromiumUnavailable(), () => {
  const scene = createPeopleScene();
  const { visit } = scene;
  const box = (page: Page, scope: string) => page.getByRole("checkbox", { name: new RegExp(`^${scope}`) });

  test("a person chooses what an agent may do, and disconnects it later", async () => {
    // The content host stands for a program on this computer.
    const redirectUri = `${scene.service.contentUrl}/callback`;
    const act = oauthActions(scene.service);
    const { answer } = await act.register({ client_name: "Claude <b>", redirect_uris: [redirectUri] });
    const clientId = z.string().parse(answer.client_id);
    const user = await scene.service.build.user();
    const request = act.requestOf(clientId, { redirect_uri: redirectUri });
    const path = `/oauth/authorize?${new URLSearchParams(request)}`;
    const page = await visit({ email: user.email, path });
    await page.getByRole("heading", { name: "Connect Claude <b> to Vitrine?" }).waitFor();
    await page.getByText("a program on this computer").waitFor();
    await expectNoBarriers(page);
    const states = ["Read", "Write", "Delete"].map(async (scope) => [
      await box(page, scope).isChecked(),
      await box(page, scope).isDisabled(),
    ]);
    expect(await Promise.all(states)).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
    await box(page, "Write").uncheck();
    await box(page, "Read").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("alert").filter({ hasText: "Choose at least one permission." }).waitFor();
    await box(page, "Read").focus();
    await page.keyboard.press("Space");
    // Enter in a field decides nothing.
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Allow" }).press("Enter");
    await page.waitForURL(`${redirectUri}?**`);
    const code = new URL(page.url()).searchParams.get("code");
    const redeemed = await act.redeem(clientId, code, { redirect_uri: redirectUri });
    const tokens = tokensSchema.parse(await redeemed.json());
    expect(tokens.scope).toBe("reports:read");

    await page.goto(`${scene.service.baseUrl}/-/account/tokens`);
    await page.getByRole("listitem").filter({ hasText: "Claude <b>" }).waitFor();
    await expectNoBarriers(page);
    await page.getByRole("button", { name: "Disconnect Claude" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect", exact: true }).click();
    await said(page, "Claude <b> disconnected");
    await page.getByText("No connected apps yet.").waitFor();
    expect(await act.statusOf(tokens.access_token)).toBe(401);
  });

  test("a person enters the code of a terminal on a phone", async () => {
    const { service } = scene;
    const device = await sendForm(service, "/-/oauth/device", { client_id: "vitrine-cli", device_name: "laptop" });
    const { user_code: code } = deviceSchema.parse(await device.json());
    const user = await service.build.user();
    const viewport = { width: 390, height: 844 };
    const page = await visit({ email: user.email, path: "/device", viewport });
    await expectNoBarriers(page);
    await page.getByLabel("Code").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: "This code isn't valid." }).waitFor();
    await page.getByLabel("Code").fill(code.toLowerCase());
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Sign in vitrine on laptop?" }).waitFor();
    await page.getByText(code, { exact: true }).waitFor();
    await expectNoBarriers(page);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("heading", { name: "Sign-in declined" }).waitFor();
  });
});
