import { beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/model/route.ts";
import { SCOPES, type Scope } from "../../../src/domain/model/entities.ts";
import { newToken } from "../../../src/domain/tokens/tokens.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { addOrganization, invite } from "../../support/people.ts";
import { failureSchema, type ScenarioRequest, send } from "../../support/scenarios.ts";
import { buildUpload, random, uniqueName, useService } from "../../support/service.ts";
import { asPage, post, signIn } from "../../support/sessions.ts";
import { orderActionsOf } from "./cabinet/order-actions.ts";

/** What the requests refer to; the user may change all of it. */
interface Given {
  name: string;
  code: string;
  /** A workspace; for routes about people, an organization that the user owns, and its member. */
  owner: string;
  userId: string;
  /** A user who belongs to no organization. */
  newcomer: string;
  invitationId: string;
  /** The secret of an invitation for the user to another organization. */
  secret: string;
  drawer(): Promise<{ id: string }>;
  folder(): Promise<{ id: string }>;
  tag(): Promise<{ id: string }>;
  /** Deletes a report and returns the id to undo it. */
  deletion(): Promise<string>;
}

const title = "A title";

/** A request for each route that succeeds with a valid token. */
const requests: Readonly<Record<string, (given: Given) => ScenarioRequest | Promise<ScenarioRequest>>> = {
  upload: () => ({ body: buildUpload() }),
  list: () => ({}),
  group: ({ name }) => ({ query: { name } }),
  item: ({ name }) => ({ query: { name } }),
  itemVersions: ({ name }) => ({ query: { name } }),
  report: ({ code }) => ({ query: { code } }),
  downloadFile: ({ code }) => ({ query: { code, path: "index.html" } }),
  previews: ({ code }) => ({ query: { code } }),
  rename: ({ name }) => ({ body: { name, newName: uniqueName() } }),
  setLatest: ({ name, code }) => ({ body: { name, code } }),
  setVisibility: ({ name }) => ({ body: { name, visibility: "public" } }),
  setFolder: ({ name }) => ({ body: { name, folder: "A" } }),
  deleteCode: ({ code }) => ({ body: { code } }),
  deleteGroup: ({ name }) => ({ body: { name } }),
  createOrganization: () => ({ body: { slug: uniqueName("org"), name: "N" } }),
  members: ({ owner }) => ({ query: { owner } }),
  addMember: ({ owner, newcomer }) => ({ body: { owner, user: newcomer } }),
  removeMember: ({ owner, userId }) => ({ body: { owner, userId } }),
  setRole: ({ owner, userId }) => ({ body: { owner, userId, role: "admin" } }),
  invitations: ({ owner }) => ({ query: { owner } }),
  createInvitation: ({ owner }) => ({ body: { owner } }),
  revokeInvitation: ({ owner, invitationId }) => ({ body: { owner, id: invitationId } }),
  acceptInvitation: ({ secret }) => ({ body: { token: secret } }),
  search: ({ owner }) => ({ query: { owner } }),
  taxonomy: ({ owner }) => ({ query: { owner } }),
  createDrawer: ({ owner }) => ({ body: { owner, title } }),
  renameDrawer: async ({ drawer }) => ({ body: { ...(await drawer()), title } }),
  deleteDrawer: async ({ drawer }) => ({ body: await drawer() }),
  createFolder: ({ owner }) => ({ body: { owner, title } }),
  renameFolder: async ({ folder }) => ({ body: { ...(await folder()), title } }),
  moveFolder: async ({ folder }) => ({ body: { ...(await folder()), drawer_id: null } }),
  deleteFolder: async ({ folder }) => ({ body: await folder() }),
  createTag: ({ owner }) => ({ body: { owner, title } }),
  renameTag: async ({ tag }) => ({ body: { ...(await tag()), title } }),
  moveTag: async ({ tag }) => ({ body: { ...(await tag()), parent_id: null } }),
  deleteTag: async ({ tag }) => ({ body: await tag() }),
  fileItems: ({ name }) => ({ body: { items: [{ name }], folder_id: null } }),
  tagItems: ({ name }) => ({ body: { items: [{ name }], set: [] } }),
  deleteItems: ({ name }) => ({ body: { items: [{ name }] } }),
  restoreItems: async ({ deletion }) => ({ body: { undo: await deletion() } }),
  setDefaultFolder: ({ owner }) => ({ body: { owner, folder_id: null } }),
  shortcuts: ({ owner }) => ({ query: { owner } }),
  addShortcut: ({ owner, name }) => ({ body: { owner, kind: "group", ref: name } }),
  removeShortcut: ({ owner, name }) => ({ body: { owner, kind: "group", ref: name } }),
  account: () => ({}),
  setDisplayName: ({ owner }) => ({ body: { owner, display_name: title } }),
};

const OF_PEOPLE = /^\/api\/orgs?\//;

const DELETING: readonly string[] = ["deleteCode", "deleteGroup", "deleteItems", "restoreItems"];

/** What each scope allows, according to the specification. */
const grants: Readonly<Record<Scope, readonly string[]>> = {
  "reports:read": [
    ...["list", "search", "group", "item", "itemVersions", "report", "downloadFile", "previews"],
    ...["members", "invitations", "taxonomy", "shortcuts", "account"],
  ],
  "reports:write": Object.keys(requests).filter((id) => !DELETING.includes(id)),
  "reports:delete": DELETING,
};

const none = async () => ({ id: "" });
const NOTHING: Given = {
  ...{ name: "", code: "", owner: "", userId: "", newcomer: "", invitationId: "", secret: "" },
  ...{ drawer: none, folder: none, tag: none, deletion: async () => "" },
};
const guarded = routes.filter((route) => route.scope !== null);
const forSessions = routes.filter(({ credential }) => credential === "session");

test("every guarded route is tested here", () => {
  expect(guarded.map(({ id }) => id).toSorted()).toEqual(Object.keys(requests).toSorted());
});

describeOneEngine("authentication", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let user: { slug: string; email: string; token: string };

  beforeAll(async () => {
    user = await service.build.user();
  });

  async function requestOf(route: Route): Promise<ScenarioRequest> {
    const given = OF_PEOPLE.test(route.path) ? await aboutPeople() : await aboutReports();
    return (await requests[route.id]?.({ ...NOTHING, ...given })) ?? {};
  }

  async function aboutReports() {
    const name = uniqueName();
    const { code } = await act.publish(user.token, { name });
    const owner = user.slug;
    const drawer = async () => ({ id: (await act.createDrawer(user.token, owner)).id });
    const folder = async () => ({ id: (await act.createFolder(user.token, owner)).id });
    const tag = async () => ({ id: (await act.createTag(user.token, owner)).id });
    const deletion = async () => {
      const other = uniqueName();
      await act.publish(user.token, { name: other });
      return (await act.deleteItems(user.token, [{ name: other }])).undo.id;
    };
    return { name, code, owner, drawer, folder, tag, deletion };
  }

  async function aboutPeople() {
    const [own, other] = [await addOrganization(service), await addOrganization(service)];
    const { slug: owner, member, join } = own;
    await join(user, "owner");
    const [ours, theirs] = [
      await invite(service, user.token, { owner }),
      await invite(service, other.owner.token, { owner: other.slug }),
    ];
    const { userId } = member;
    return { owner, userId, newcomer: own.stranger.slug, invitationId: ours.id, secret: theirs.secret };
  }

  const credentials: Readonly<Record<string, () => string | undefined | Promise<string | undefined>>> = {
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
    "an expired token": async () => `Bearer ${await service.build.token({ userSlug: user.slug, expiresIn: -1 })}`,
    "a revoked token": async () => {
      const { id, token } = await service.build.tokens.create({ userSlug: user.slug, scopes: SCOPES });
      expect((await act.list(token)).signedIn).toBe(true);
      await service.build.tokens.revoke(user.slug, id);
      return `Bearer ${token}`;
    },
  };

  for (const route of guarded) {
    describe(`${route.method} ${route.path}`, () => {
      test.each(Object.keys(credentials))("with %s → 401", async (name) => {
        const authorization = await credentials[name]?.();
        const headers: Record<string, string> = authorization === undefined ? {} : { Authorization: authorization };
        const { response, answer } = await send(service, route, { ...(await requestOf(route)), headers });
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toMatch(/^Bearer\b/);
        expect(failureSchema.parse(answer).error).toMatch(/access token/);
      });

      test.each([...SCOPES])("with a token for %s only", async (scope) => {
        const token = await service.build.token({ userSlug: user.slug, scopes: [scope] });
        const { response, answer } = await send(service, route, { ...(await requestOf(route)), token });
        const isGranted = grants[scope].includes(route.id);
        expect({ status: response.status, answer }).toMatchObject({ status: isGranted ? 200 : 403 });
        if (!isGranted)
          expect(failureSchema.parse(answer).error).toBe(
            `This access token doesn't have the scope ${route.scope}. Use a token that has it.`,
          );
      });

      test("with a scheme in lower case → 200", async () => {
        const headers = { Authorization: `bearer ${user.token}` };
        const { response } = await send(service, route, { ...(await requestOf(route)), headers });
        expect(response.status).toBe(200);
      });

      if (route.method === "POST") {
        test("401 comes before errors about the body", async () => {
          const { response } = await send(service, route, { body: "{" });
          expect(response.status).toBe(401);
        });

        test("403 comes before errors about the body", async () => {
          const scopes: Scope[] = route.scope === "reports:delete" ? ["reports:write"] : ["reports:delete"];
          const token = await service.build.token({ userSlug: user.slug, scopes });
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
        const Authorization = (await credentials[name]?.()) ?? "";
        const headers = { ...asPage(service, await signIn(service, user)), Authorization };
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
        const cookie = await signIn(service, user);
        await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
        const { response } = await send(service, route, { ...body, headers: asPage(service, cookie) });
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
      const authorization = (await credentials[name]?.()) ?? "";
      const response = await fetch(`${service.contentUrl}/${code}/`, { headers: { Authorization: authorization } });
      expect(response.status).toBe(401);
      expect(failureSchema.parse(await response.json()).error).toContain("isn't valid");
    });
  });
});
