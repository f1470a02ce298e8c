import { expect, test } from "bun:test";
import { auditRoute } from "../../../../src/contract/audit/audit.ts";
import { answerDeviceRoute } from "../../../../src/contract/oauth/apps.ts";
import { tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { useService } from "../../../support/service.ts";
import { asPage, post } from "../../../support/sessions.ts";
import { deviceSchema, oauthActions, refusalOf, refused, sendForm, tokensSchema } from "./oauth-support.ts";

describeOneEngine("a device", (engine) => {
  const service = useService({ engine });
  const act = oauthActions(service);

  const begin = async () => {
    const response = await sendForm(service, "/-/oauth/device", {
      client_id: "vitrine-cli",
      device_name: "ada's laptop",
    });
    return deviceSchema.parse(await response.json());
  };
  const poll = (deviceCode: string) =>
    sendForm(service, "/-/oauth/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      client_id: "vitrine-cli",
      device_code: deviceCode,
    });

  test("gets an access token, once, after its code is approved", async () => {
    const { page, slug, cookie } = await act.person();
    const begun = await begin();
    expect({ ...begun }).toMatchObject({
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${service.baseUrl}/-/device`,
      expires_in: 600,
      interval: 2,
    });
    expect(await refusalOf(await poll(begun.device_code))).toEqual(refused(400, "authorization_pending"));
    expect(await refusalOf(await poll(begun.device_code))).toEqual(refused(400, "slow_down"));
    const consent = await fetch(begun.verification_uri_complete, { headers: { Cookie: cookie } });
    const html = await consent.text();
    expect(html).toContain(begun.user_code);
    expect(html).toContain("laptop");

    const code = begun.user_code.toLowerCase().replace("-", " ");
    const body = { user_code: code, allow: true, owner: slug, scopes: ["reports:read" as const] };
    await page.call(answerDeviceRoute, { body });
    const tokens = tokensSchema.parse(await (await poll(begun.device_code)).json());
    expect(tokens).toMatchObject({ scope: "reports:read", expires_in: 90 * 24 * 3600 });
    expect(await act.statusOf(tokens.access_token)).toBe(200);
    expect(await refusalOf(await poll(begun.device_code))).toEqual(refused(400, "invalid_grant"));
    const [token] = (await page.call(tokensRoute)).tokens;
    expect(token).toMatchObject({ name: "vitrine on ada's laptop", scopes: ["reports:read"], workspace: slug });
    await expect(page.call(answerDeviceRoute, { body })).rejects.toThrow("This code isn't valid");

    const revoke = (client: string) =>
      sendForm(service, "/-/oauth/revoke", { client_id: client, token: tokens.access_token });
    expect((await revoke("app_1")).status).toBe(200);
    expect(await act.statusOf(tokens.access_token)).toBe(200);
    expect((await revoke("vitrine-cli")).status).toBe(200);
    expect(await act.statusOf(tokens.access_token)).toBe(401);
    const left = (await page.call(tokensRoute)).tokens.map(({ name }) => name);
    expect(left).not.toContain("vitrine on ada's laptop");
  });

  test("that is declined, or too late, gets nothing", async () => {
    const { page, slug } = await act.person();
    const declined = await begin();
    const body = { user_code: declined.user_code, allow: false, owner: slug, scopes: [] };
    await page.call(answerDeviceRoute, { body });
    expect(await refusalOf(await poll(declined.device_code))).toEqual(refused(400, "access_denied"));
    const { entries } = await page.call(auditRoute, { query: { owner: slug } });
    const declines = entries.filter(({ action }) => action === "device.decline");
    expect(declines).toMatchObject([{ subject: "vitrine on ada's laptop", actor: slug }]);
    const late = await begin();
    await executeSql(service.database, "update oauth_devices set expires_at = 1");
    expect(await refusalOf(await poll(late.device_code))).toEqual(refused(400, "expired_token"));
    const approving = page.call(answerDeviceRoute, {
      body: { user_code: late.user_code, allow: true, owner: slug, scopes: ["reports:read"] },
    });
    await expect(approving).rejects.toThrow("This code isn't valid");
  });

  test("can only be Vitrine's command line", async () => {
    const other = await sendForm(service, "/-/oauth/device", { client_id: "app_1" });
    expect(await refusalOf(other)).toEqual(refused(400, "unauthorized_client"));
  });

  test("codes can't be guessed", async () => {
    const { cookie } = await act.person();
    const guess = async (code: string) =>
      (
        await post(
          service,
          "/api/apps/answer-device",
          { user_code: code, allow: false, owner: "x", scopes: [] },
          asPage(service, cookie),
        )
      ).status;
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt++) statuses.push(await guess(`BBBB-BBB${attempt}`));
    expect(statuses).toEqual([...Array<number>(10).fill(404), 429]);
  });
});
