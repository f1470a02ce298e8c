import { describe, expect, test } from "bun:test";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { SCOPES } from "../../../../src/domain/model/entities.ts";
import { isWellFormed } from "../../../../src/domain/tokens/tokens.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { useService } from "../../../support/service.ts";
import { asPage, pageClient, post, signIn } from "../../../support/sessions.ts";
import { nextMillisecond, until } from "../../../support/until.ts";
import { actionsOf, settle, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const listCase = casesOf<typeof tokensRoute>();
const createCase = casesOf<typeof createTokenRoute>();
const revokeCase = casesOf<typeof revokeTokenRoute>();

const DAY = 24 * 60 * 60_000;

describeOneEngine("access tokens that users create", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  /** Returns a signed-in person without tokens. */
  async function person() {
    const user = await service.build.user();
    await executeSql(
      service.database,
      `delete from tokens where user_id = (select user_id from memberships
        join workspaces on workspaces.id = workspace_id where slug = '${user.slug}')`,
    );
    const cookie = await signIn(service, user);
    return { slug: user.slug, cookie, page: pageClient(service, cookie) };
  }
  type Person = Awaited<ReturnType<typeof person>>;

  const create = ({ page, slug }: Person, overrides: object = {}) =>
    page.call(createTokenRoute, {
      body: { owner: slug, name: "Build", scopes: ["reports:read"], expires_in_days: null, ...overrides },
    });
  const listed = async ({ page }: Person) => (await page.call(tokensRoute)).tokens;
  const byPage = ({ cookie }: { cookie: string }) => ({ headers: asPage(service, cookie) });

  async function owner() {
    const user = await person();
    return { ...user, made: await create(user) };
  }

  testCases(() => service, tokensRoute, [
    listCase({
      name: "no tokens of a new user",
      given: person,
      request: byPage,
      status: 200,
      check: (answer) => expect(answer).toEqual({ tokens: [] }),
    }),
    listCase({
      name: "every field, newest first, and no secret",
      given: async () => {
        const user = await person();
        const first = await create(user, { name: "First", scopes: ["reports:delete", "reports:write"] });
        await nextMillisecond();
        const second = await create(user, { name: "Second", expires_in_days: 30 });
        return { ...user, first, second };
      },
      request: byPage,
      status: 200,
      check: (answer, { first, second, slug }) => {
        const { token: _, ...newer } = second;
        const { token: __, ...older } = first;
        expect(answer).toEqual({ tokens: [newer, older] });
        expect(older).toMatchObject({
          name: "First",
          workspace: slug,
          scopes: ["reports:write", "reports:delete"],
          expires_at: null,
          last_used_at: null,
        });
      },
    }),
    listCase({
      name: "the time of last use",
      given: async () => {
        const user = await owner();
        await act.list(user.made.token);
        // The time is written after the response.
        await until(async () => (await listed(user)).some(({ last_used_at }) => last_used_at !== null));
        return user;
      },
      request: byPage,
      status: 200,
      check: ({ tokens }) => {
        expect(Date.now() - Date.parse(tokens[0]?.last_used_at ?? "")).toBeWithin(0, 60_000);
      },
    }),
    listCase({
      name: "with any token",
      given: owner,
      request: ({ made }) => ({ token: made.token }),
      status: 403,
      error: "access tokens aren't accepted",
    }),
    listCase({
      name: "with an invalid token in addition to a session",
      given: owner,
      request: ({ cookie }) => ({ headers: { ...asPage(service, cookie), Authorization: "Bearer x" } }),
      status: 403,
      error: "access tokens aren't accepted",
    }),
    listCase({
      name: "no credentials",
      given: () => undefined,
      request: () => ({}),
      status: 401,
      error: "aren't signed in",
    }),
  ]);

  const body = (overrides: object = {}) => ({
    name: "Build",
    scopes: ["reports:read"],
    expires_in_days: null,
    ...overrides,
  });
  const refused = (name: string, overrides: object, error: string) =>
    createCase({
      name,
      given: person,
      request: ({ cookie, slug }) => ({ ...byPage({ cookie }), body: body({ owner: slug, ...overrides }) }),
      status: 400,
      error,
      after: async (user) => expect(await listed(user)).toEqual([]),
    });

  testCases(() => service, createTokenRoute, [
    createCase({
      name: "one that works, with a trimmed name and each scope once",
      given: person,
      request: ({ cookie, slug }) => ({
        ...byPage({ cookie }),
        body: body({ owner: slug, name: " Nightly ", scopes: ["reports:write", "reports:read", "reports:write"] }),
      }),
      status: 200,
      check: async (answer, user) => {
        const { token, ...entry } = answer;
        expect(isWellFormed(token)).toBe(true);
        expect(entry).toEqual({
          id: expect.stringMatching(/^tok_[0-9A-Za-z]{16}$/),
          name: "Nightly",
          workspace: user.slug,
          scopes: ["reports:read", "reports:write"],
          created_at: expect.any(String),
          expires_at: null,
          last_used_at: null,
        });
        const { code, owner: workspace } = await act.publish(token);
        expect(workspace).toBe(user.slug);
        expect(await statusOf(act.deleteCode(token, code))).toBe(403);
      },
    }),
    createCase({
      name: "one that expires after some days",
      given: person,
      request: ({ cookie, slug }) => ({ ...byPage({ cookie }), body: body({ owner: slug, expires_in_days: 3650 }) }),
      status: 200,
      check: ({ created_at, expires_at }) =>
        expect(Date.parse(expires_at ?? "") - Date.parse(created_at)).toBe(3650 * DAY),
    }),
    createCase({
      name: "one that uploads to an organization",
      given: async () => {
        const { slug, member } = await addOrganization(service);
        return { organization: slug, cookie: await signIn(service, member) };
      },
      request: ({ cookie, organization }) => ({
        ...byPage({ cookie }),
        body: body({ owner: organization, scopes: [...SCOPES] }),
      }),
      status: 200,
      check: async ({ token, workspace }, { organization }) => {
        expect(workspace).toBe(organization);
        expect((await act.publish(token)).owner).toBe(organization);
      },
    }),
    createCase({
      name: "for another user's workspace",
      given: async () => ({ ...(await person()), other: (await person()).slug }),
      request: ({ cookie, other }) => ({ ...byPage({ cookie }), body: body({ owner: other }) }),
      status: 404,
      error: /^Workspace ".*" not found/,
      after: async (user) => expect(await listed(user)).toEqual([]),
    }),
    refused("no scopes", { scopes: [] }, "scopes must have at least 1 entry"),
    refused("a scope that is none", { scopes: ["reports:all"] }, "scopes[0] must be reports:read"),
    refused("no name", { name: " " }, "name can't be empty"),
    refused("a name of 101 characters", { name: "é".repeat(101) }, "name must have at most 100 characters"),
    refused("no days", { expires_in_days: 0 }, "expires_in_days must be between 1 and 3650"),
    refused("too many days", { expires_in_days: 3651 }, "expires_in_days must be between 1 and 3650"),
    refused("half a day", { expires_in_days: 0.5 }, "expires_in_days must be a whole number"),
    refused("days that are missing", { expires_in_days: undefined }, "expires_in_days is required"),
    createCase({
      name: "with a token that has all scopes",
      given: owner,
      request: ({ made, slug }) => ({ token: made.token, body: body({ owner: slug }) }),
      status: 403,
      error: "access tokens aren't accepted",
      after: async (user) => expect(await listed(user)).toHaveLength(1),
    }),
    createCase({
      name: "from another site's page",
      given: owner,
      request: ({ cookie, slug }) => ({
        headers: { Cookie: cookie, Origin: "https://evil.example" },
        body: body({ owner: slug }),
      }),
      status: 403,
      after: async (user) => expect(await listed(user)).toHaveLength(1),
    }),
    createCase({
      name: "no session",
      given: () => undefined,
      request: () => ({ body: body({ owner: "ada" }) }),
      status: 401,
    }),
    createCase({
      name: "beyond the limit",
      given: async () => {
        const user = await person();
        for (let made = 0; made < 195; made += 15) await Promise.all(Array.from({ length: 15 }, () => create(user)));
        // Concurrent requests may exceed the limit in part.
        const { answers, refusals } = await settle(Array.from({ length: 10 }, () => create(user)));
        expect([answers.length, refusals]).toEqual([5, Array(5).fill(409)]);
        return user;
      },
      request: ({ cookie, slug }) => ({ ...byPage({ cookie }), body: body({ owner: slug }) }),
      status: 409,
      error: "200 access tokens",
      after: async (user) => {
        const tokens = await listed(user);
        expect(tokens).toHaveLength(200);
        await user.page.call(revokeTokenRoute, { body: { id: tokens[0]?.id ?? "" } });
        expect(await statusOf(create(user))).toBe(200);
      },
    }),
  ]);

  testCases(() => service, revokeTokenRoute, [
    revokeCase({
      name: "it stops working at once",
      given: async () => {
        const user = await owner();
        expect(await statusOf(act.list(user.made.token))).toBe(200);
        return user;
      },
      request: ({ cookie, made }) => ({ ...byPage({ cookie }), body: { id: made.id } }),
      status: 200,
      after: async (user) => {
        expect(await statusOf(act.list(user.made.token))).toBe(401);
        expect(await listed(user)).toEqual([]);
      },
    }),
    revokeCase({
      name: "a second time",
      given: async () => {
        const user = await owner();
        await user.page.call(revokeTokenRoute, { body: { id: user.made.id } });
        return user;
      },
      request: ({ cookie, made }) => ({ ...byPage({ cookie }), body: { id: made.id } }),
      status: 404,
      error: /^Access token ".*" not found/,
    }),
    revokeCase({
      name: "another user's",
      given: async () => ({ other: await owner(), ...(await person()) }),
      request: ({ cookie, other }) => ({ ...byPage({ cookie }), body: { id: other.made.id } }),
      status: 404,
      error: /^Access token ".*" not found/,
      after: async ({ other }) => expect(await statusOf(act.list(other.made.token))).toBe(200),
    }),
    revokeCase({
      name: "no id",
      given: person,
      request: ({ cookie }) => ({ ...byPage({ cookie }), body: {} }),
      status: 400,
      error: "id is required",
    }),
    revokeCase({
      name: "itself, with itself",
      given: owner,
      request: ({ made }) => ({ token: made.token, body: { id: made.id } }),
      status: 403,
      error: "access tokens aren't accepted",
    }),
    revokeCase({ name: "no credentials", given: () => undefined, request: () => ({ body: { id: "x" } }), status: 401 }),
  ]);

  describe("where access tokens aren't accepted", () => {
    test.each(["Bearer", "Basic YTpi", "Bearer  ", "bearer x y"])(
      "%p is refused without a challenge",
      async (value) => {
        const { cookie } = await person();
        const response = await fetch(service.baseUrl + tokensRoute.path, {
          headers: { Cookie: cookie, Authorization: value },
        });
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([403, null]);
        failureSchema.parse(await response.json());
      },
    );

    test("Better Auth's own bearer tokens don't work", async () => {
      const { cookie } = await person();
      const bearer = decodeURIComponent(cookie.split("=")[1] ?? "");
      const headers = { Authorization: `Bearer ${bearer}` };
      expect((await post(service, createTokenRoute.path, body({ owner: "x" }), headers)).status).toBe(403);
    });
  });
});
