import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { createTokenRoute, tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { startReplicas } from "../../../replicas/two-replicas.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { postgresUnavailable } from "../../../support/postgres.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { PASSWORD, type Service, useService } from "../../../support/service.ts";
import { asPage, cookiesOf, pageClient, post, signIn } from "../../../support/sessions.ts";
import { describeIf } from "../../../support/skip.ts";
import { casesOf, testCases } from "../cases.ts";

const createCase = casesOf<typeof createTokenRoute>();

const CONFIRM = "/api/auth/confirm-password";
const CHANGE = "/api/auth/change-password";
const NEW_PASSWORD = "a new horse";
const UNCONFIRMED = "You signed in more than an hour ago.";
const sessionSchema = z.object({ session: z.object({ needs_confirmation: z.boolean() }) });

/** Lets more than an hour pass since a user's last proof of who they are, in all of their sessions. */
const letAgeIn = (service: Service, { email }: { email: string }, minutes = 61) =>
  executeSql(
    service.database,
    `update sessions set authenticated_at = ${Date.now() - minutes * 60_000}
      where user_id = (select id from users where email = '${email}')`,
  );

const listStatus = async ({ baseUrl }: Pick<Service, "baseUrl">, headers: Record<string, string>) =>
  (await fetch(`${baseUrl}/api/list`, { headers })).status;

describeOneEngine("confirming who is signed in", (engine) => {
  const service = useService({ engine });

  async function person({ minutes = 61, sessions = 1 } = {}) {
    const user = await service.build.user();
    const cookies: string[] = [];
    for (let count = 0; count < sessions; count++) cookies.push(await signIn(service, user));
    await letAgeIn(service, user, minutes);
    const [cookie = "", other = ""] = cookies;
    return { ...user, cookie, other };
  }

  const body = ({ slug }: { slug: string }) => ({
    owner: slug,
    name: "Build",
    scopes: ["reports:read"],
    expires_in_days: null,
  });
  const byPage = (given: { slug: string; cookie: string }) => ({
    headers: asPage(service, given.cookie),
    body: body(given),
  });
  const countTokens = async (cookie: string) =>
    (await pageClient(service, cookie).call(tokensRoute)).tokens.filter(({ name }) => name === "Build").length;
  const needsConfirmation = async (cookie: string) => {
    const answer = await fetch(`${service.baseUrl}/api/auth/get-session`, { headers: { Cookie: cookie } });
    return sessionSchema.parse(await answer.json()).session.needs_confirmation;
  };
  const confirm = (cookie: string, password: string, headers: Record<string, string> = {}) =>
    post(service, CONFIRM, { password }, { Cookie: cookie, ...headers });

  testCases(() => service, createTokenRoute, [
    createCase({
      name: "within an hour after signing in",
      given: () => person({ minutes: 58 }),
      request: byPage,
      status: 200,
      after: async ({ cookie }) =>
        expect([await countTokens(cookie), await needsConfirmation(cookie)]).toEqual([1, false]),
    }),
    createCase({
      name: "more than an hour after signing in",
      given: () => person(),
      request: byPage,
      status: 403,
      error: UNCONFIRMED,
      after: async ({ cookie }) =>
        expect([await countTokens(cookie), await needsConfirmation(cookie)]).toEqual([0, true]),
    }),
    createCase({
      name: "more than an hour after signing in, and with the password since",
      given: async () => {
        const given = await person();
        expect((await confirm(given.cookie, PASSWORD)).status).toBe(200);
        return given;
      },
      request: byPage,
      status: 200,
      after: async ({ cookie }) => expect(await needsConfirmation(cookie)).toBe(false),
    }),
    createCase({
      name: "with the password given in another session",
      given: async () => {
        const given = await person({ sessions: 2 });
        expect((await confirm(given.other, PASSWORD)).status).toBe(200);
        return given;
      },
      request: byPage,
      status: 403,
      error: UNCONFIRMED,
    }),
    createCase({
      name: "with a wrong password given",
      given: async () => {
        const given = await person();
        const refused = await confirm(given.cookie, "wrong horse");
        expect(refused.status).toBe(400);
        expect(failureSchema.parse(await refused.json()).error).toBe("password is incorrect. Check it and try again.");
        return given;
      },
      request: byPage,
      status: 403,
      error: UNCONFIRMED,
    }),
    createCase({
      name: "after the password was changed",
      given: async () => {
        const given = await person();
        const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        const changed = await post(service, CHANGE, passwords, { Cookie: given.cookie });
        return { ...given, cookie: cookiesOf(changed) };
      },
      request: byPage,
      status: 200,
    }),
  ]);

  test("does what needs no confirmation as before", async () => {
    const { cookie, token } = await person();
    expect(await listStatus(service, { Cookie: cookie })).toBe(200);
    expect(await listStatus(service, { Authorization: `Bearer ${token}` })).toBe(200);
  });

  test.each<[string, (given: { cookie: string; token: string }) => Record<string, string>, object, number]>([
    ["nobody", () => ({}), { password: PASSWORD }, 401],
    [
      "a token",
      ({ cookie, token }) => ({ Cookie: cookie, Authorization: `Bearer ${token}` }),
      { password: PASSWORD },
      401,
    ],
    ["another site", ({ cookie }) => ({ Cookie: cookie, Origin: "https://evil.example" }), { password: PASSWORD }, 403],
    ["no password", ({ cookie }) => ({ Cookie: cookie }), {}, 400],
    ["an empty password", ({ cookie }) => ({ Cookie: cookie }), { password: "" }, 400],
  ])("is refused with %s", async (_, headers, sent, status) => {
    const given = await person();
    expect((await post(service, CONFIRM, sent, headers(given))).status).toBe(status);
    expect(await needsConfirmation(given.cookie)).toBe(true);
  });

  test("is refused for an account without a password", async () => {
    const given = await person();
    const who = `(select id from users where email = '${given.email}')`;
    await executeSql(service.database, `update accounts set password = null where user_id = ${who}`);
    expect((await confirm(given.cookie, PASSWORD)).status).toBe(400);
    expect(await needsConfirmation(given.cookie)).toBe(true);
  });

  test("counts with signing in and changing the password: ten failures from one address", async () => {
    const given = await person();
    const from = { "X-Forwarded-For": "203.0.113.77" };
    const trySignIn = (headers: Record<string, string>) =>
      post(service, "/api/auth/sign-in/email", { email: given.email, password: PASSWORD }, headers);
    const passwords = { currentPassword: "wrong horse", newPassword: NEW_PASSWORD };
    for (let count = 0; count < 5; count++) {
      expect((await confirm(given.cookie, "wrong horse", from)).status).toBe(400);
      expect((await post(service, CHANGE, passwords, { Cookie: given.cookie, ...from })).status).toBe(400);
    }
    expect((await confirm(given.cookie, PASSWORD, from)).status).toBe(429);
    expect((await trySignIn(from)).status).toBe(429);
    expect(await needsConfirmation(given.cookie)).toBe(true);
    const elsewhere = { "X-Forwarded-For": "198.51.100.77" };
    expect((await trySignIn(elsewhere)).status).toBe(200);
    expect((await confirm(given.cookie, PASSWORD, elsewhere)).status).toBe(200);
  });

  describe("a new password and the person's access tokens", () => {
    const isGood = async (token: string) => (await listStatus(service, { Authorization: `Bearer ${token}` })) === 200;
    const good = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };

    test.each<[string, object, number, boolean]>([
      ["are left alone unless asked for", good, 200, true],
      ["are left alone when that is asked for", { ...good, revokeTokens: false }, 200, true],
      ["are revoked when that is asked for", { ...good, revokeTokens: true }, 200, false],
      ["stay with a wrong password", { ...good, currentPassword: "wrong horse", revokeTokens: true }, 400, true],
      ["stay with a new password that is too short", { ...good, newPassword: "short", revokeTokens: true }, 400, true],
      ["stay with what is no yes or no", { ...good, revokeTokens: "yes" }, 400, true],
    ])("%s", async (_, sent, status, isLeft) => {
      const stranger = await service.build.user();
      const given = await person();
      const organization = await service.build.organization();
      await service.build.accounts.addMember({
        organizationSlug: organization.slug,
        userSlug: given.slug,
        role: "member",
      });
      const second = await service.build.token({ userSlug: given.slug, workspaceSlug: organization.slug });
      const answer = await post(service, CHANGE, sent, { Cookie: given.cookie });
      expect(answer.status).toBe(status);
      expect([await isGood(given.token), await isGood(second)]).toEqual([isLeft, isLeft]);
      expect([await isGood(stranger.token), await isGood(organization.owner.token)]).toEqual([true, true]);
      const password = status === 200 ? NEW_PASSWORD : PASSWORD;
      await signIn(service, { email: given.email, password });
    });
  });
});

describeIf("a new password at one of two replicas", postgresUnavailable(), () => {
  test("ends the person's access tokens at the other at once", async () => {
    await using replicas = await startReplicas();
    const { first, second } = replicas;
    const user = await first.build.user();
    const headers = { Authorization: `Bearer ${user.token}` };
    expect(await listStatus(second, headers)).toBe(200);
    const cookie = await signIn(first, user);
    const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, revokeTokens: true };
    expect((await post(first, CHANGE, passwords, { Cookie: cookie })).status).toBe(200);
    expect([await listStatus(first, headers), await listStatus(second, headers)]).toEqual([401, 401]);
    const publicRead = await fetch(`${second.contentUrl}/0123456789abcdeF/`, { headers });
    expect(publicRead.status).toBe(401);
  });
});
