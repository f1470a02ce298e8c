import { expect } from "bun:test";
import { createTokenRoute, revokeTokenRoute } from "../../../../src/contract/tokens/tokens.ts";
import { SCOPES } from "../../../../src/domain/model/entities.ts";
import { isWellFormed } from "../../../../src/domain/tokens/tokens.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { actionsOf, settle, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { tokenActionsOf, tokenFields } from "./token-support.ts";

const createCase = casesOf<typeof createTokenRoute>();

const DAY = 24 * 60 * 60_000;

describeOneEngine("access tokens that users create", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  const { person, create, listed, byPage, owner } = tokenActionsOf(service);

  const refused = (name: string, overrides: object, error: string) =>
    createCase({
      name,
      given: person,
      request: ({ cookie, slug }) => ({ ...byPage({ cookie }), body: tokenFields({ owner: slug, ...overrides }) }),
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
        body: tokenFields({
          owner: slug,
          name: " Nightly ",
          scopes: ["reports:write", "reports:read", "reports:write"],
        }),
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
      request: ({ cookie, slug }) => ({
        ...byPage({ cookie }),
        body: tokenFields({ owner: slug, expires_in_days: 3650 }),
      }),
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
        body: tokenFields({ owner: organization, scopes: [...SCOPES] }),
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
      request: ({ cookie, other }) => ({ ...byPage({ cookie }), body: tokenFields({ owner: other }) }),
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
      request: ({ made, slug }) => ({ token: made.token, body: tokenFields({ owner: slug }) }),
      status: 403,
      error: "access tokens aren't accepted",
      after: async (user) => expect(await listed(user)).toHaveLength(1),
    }),
    createCase({
      name: "from another site's page",
      given: owner,
      request: ({ cookie, slug }) => ({
        headers: { Cookie: cookie, Origin: "https://evil.example" },
        body: tokenFields({ owner: slug }),
      }),
      status: 403,
      after: async (user) => expect(await listed(user)).toHaveLength(1),
    }),
    createCase({
      name: "no session",
      given: () => undefined,
      request: () => ({ body: tokenFields({ owner: "ada" }) }),
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
      request: ({ cookie, slug }) => ({ ...byPage({ cookie }), body: tokenFields({ owner: slug }) }),
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
});
