import { beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/model/route.ts";
import { SCOPES, type Scope } from "../../../src/domain/model/entities.ts";
import { newToken } from "../../../src/domain/tokens/tokens.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { failureSchema, send } from "../../support/scenarios.ts";
import { random, useService } from "../../support/service.ts";
import { asPage, post, signIn } from "../../support/sessions.ts";
import { orderActionsOf } from "./cabinet/order-actions.ts";
import { requestFor, requests } from "./requests.ts";

const DELETING: readonly string[] = [
  ...["deleteCode", "deleteGroup", "deleteItems", "restoreItems", "removeSamples"],
  ...["restoreTrash", "purgeTrash", "setRetention"],
];

/** What each scope allows, according to the specification. */
const grants: Readonly<Record<Scope, readonly string[]>> = {
  "reports:read": [
    ...["list", "search", "group", "item", "itemVersions", "report", "downloadFile", "previews", "thumbnail", "seen"],
    ...["members", "invitations", "taxonomy", "shortcuts", "savedFilters", "samples", "account"],
    ...["items", "largestItems", "changes"],
    ...["comments", "waitForComments", "commentThread", "readComments", "commentCounts", "mentionCandidates"],
    ...["inbox", "readInbox", "notificationSettings"],
    ...["trash", "retention"],
    ...["share", "shared", "requestAccess", "accessRequests", "guestLinks"],
  ],
  "reports:write": Object.keys(requests).filter((id) => !DELETING.includes(id)),
  "reports:delete": DELETING,
};

const guarded = routes.filter((route) => route.scope !== null);
const forSessions = routes.filter(({ credential }) => credential === "session");

test("every guarded route is tested here", () => {
  expect(guarded.map(({ id }) => id).toSorted()).toEqual(Object.keys(requests).toSorted());
});

describeOneEngine("authentication", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  const requestOf = (route: Route) => requestFor(service, user, route);
  let user: { slug: string; email: string; token: string };
  let cookie: string;
  let ended: string;
  let expired: string;
  let revoked: string;
  let scoped: ReadonlyMap<Scope, string>;

  beforeAll(async () => {
    user = await service.build.user();
    cookie = await signIn(service, user);
    ended = await signIn(service, user);
    await post(service, "/api/auth/sign-out", {}, { Cookie: ended });
    expired = await service.build.token({ userSlug: user.slug, expiresIn: -1 });
    const { id, token } = await service.build.tokens.create({ userSlug: user.slug, scopes: SCOPES });
    expect((await act.list(token)).signedIn).toBe(true);
    await service.build.tokens.revoke(user.slug, id);
    revoked = token;
    const tokens = SCOPES.map(
      async (scope) => [scope, await service.build.token({ userSlug: user.slug, scopes: [scope] })] as const,
    );
    scoped = new Map(await Promise.all(tokens));
  });

  const credentials: Readonly<Record<string, () => string | undefined>> = {
    "no Authorization header": () => undefined,
    "an empty one": () => "",
    "a scheme without a token": () => "Bearer",
    "a token without a scheme": () => user.token,
    "another scheme": () => `Basic ${btoa(`${user.slug}:${user.token}`)}`,
    "two tokens": () => `Bearer ${user.token} ${user.token}`,
    "a token with an extra letter": () => `Bearer ${user.token}a`,
    "a truncated token": () => `Bearer ${user.token.slice(0, -1)}`,
    "a token in upper case": () => `Bearer ${user.token.toUpperCase()}`,
    "a well-formed token that was never issued": () => `Bearer ${newToken(random)}`,
    "an expired token": () => `Bearer ${expired}`,
    "a revoked token": () => `Bearer ${revoked}`,
  };

  for (const route of guarded) {
    describe(`${route.method} ${route.path}`, () => {
      let shared: ReturnType<typeof requestOf> | undefined;
      /** Returns the same request each time: one that is refused changes nothing, so it succeeds later. */
      const requestToRefuse = () => (shared ??= requestOf(route));

      test.each(Object.keys(credentials))("with %s → 401", async (name) => {
        const authorization = credentials[name]?.();
        const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
        const { response, answer } = await send(service, route, { ...(await requestToRefuse()), headers });
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
        expect(failureSchema.parse(answer).error).toMatch(/access token/);
      });

      test.each([...SCOPES])("with a token for %s only", async (scope) => {
        const token = scoped.get(scope) ?? "";
        const isGranted = grants[scope].includes(route.id);
        const request = await (isGranted ? requestOf(route) : requestToRefuse());
        const { response, answer } = await send(service, route, { ...request, token });
        expect({ status: response.status, answer }).toMatchObject({ status: isGranted ? 200 : 403 });
        if (!isGranted)
          expect(failureSchema.parse(answer).error).toBe(
            `This access token doesn't have the scope ${route.scope}. Use a token that has it.`,
          );
      });

      test("with a scheme in lower case → 200", async () => {
        const headers = { Authorization: `bearer ${user.token}` };
        const { response } = await send(service, route, { ...(await requestToRefuse()), headers });
        expect(response.status).toBe(200);
      });

      if (route.method === "POST") {
        test("401 comes before errors about the body", async () => {
          const { response } = await send(service, route, { body: "{" });
          expect(response.status).toBe(401);
        });

        test("403 comes before errors about the body", async () => {
          const token = scoped.get(route.scope === "reports:delete" ? "reports:write" : "reports:delete") ?? "";
          const { response } = await send(service, route, { token, body: "{" });
          expect(response.status).toBe(403);
        });
      }
    });
  }

  for (const route of forSessions) {
    describe(`${route.method} ${route.path}, which is for sessions`, () => {
      const body = route.method === "POST" ? { body: "{" } : {};

      test.each(Object.keys(credentials).slice(1))("with %s → 403, without errors about the body", async (name) => {
        const Authorization = credentials[name]?.() ?? "";
        const headers = { ...asPage(service, cookie), Authorization };
        const { response, answer } = await send(service, route, { ...body, headers });
        expect([response.status, response.headers.get("www-authenticate")]).toEqual([403, null]);
        expect(failureSchema.parse(answer).error).toMatch(/access tokens aren't accepted/);
      });

      test("with no session → 401", async () => {
        const { response, answer } = await send(service, route, body);
        expect(response.status).toBe(401);
        expect(failureSchema.parse(answer).error).toMatch(/aren't signed in/);
      });

      test("with an expired session → 401", async () => {
        const { response } = await send(service, route, { ...body, headers: asPage(service, ended) });
        expect(response.status).toBe(401);
      });
    });
  }

  describe("reading back", () => {
    test.each<[Scope, number]>([
      ["reports:read", 200],
      ["reports:write", 200],
      ["reports:delete", 403],
    ])("with a token for %s only → %i", async (scope, status) => {
      const { code } = await act.publish(user.token);
      const token = await service.build.token({ userSlug: user.slug, scopes: [scope] });
      expect((await act.read(token, code)).status).toBe(status);
    });

    test.each(["an expired token", "a revoked token", "a truncated token"])("with %s → 401", async (name) => {
      const { code } = await act.publish(user.token);
      const authorization = credentials[name]?.() ?? "";
      const response = await fetch(`${service.contentUrl}/${code}/`, { headers: { Authorization: authorization } });
      expect(response.status).toBe(401);
      expect(failureSchema.parse(await response.json()).error).toMatch(
        name === "an expired token" ? /expired on 2/ : /isn't valid/,
      );
    });
  });
});
