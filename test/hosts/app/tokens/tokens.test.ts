import { describe, expect, test } from "bun:test";
import { createTokenRoute, revokeTokenRoute, tokensRoute } from "../../../../src/contract/tokens/tokens.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { failureSchema } from "../../../support/scenarios.ts";
import { useService } from "../../../support/service.ts";
import { asPage, post } from "../../../support/sessions.ts";
import { nextMillisecond, until } from "../../../support/until.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { tokenActionsOf, tokenFields } from "./token-support.ts";

const listCase = casesOf<typeof tokensRoute>();
const revokeCase = casesOf<typeof revokeTokenRoute>();

describeOneEngine("access tokens that users create", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const { person, create, listed, byPage, owner } = tokenActionsOf(service);

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
      expect((await post(service, createTokenRoute.path, tokenFields({ owner: "x" }), headers)).status).toBe(403);
    });
  });
});
