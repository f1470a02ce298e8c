import { beforeAll, describe, expect, test } from "bun:test";
import { routes } from "../../../../src/contract/index.ts";
import type { Route } from "../../../../src/contract/model/route.ts";
import { appsRoute } from "../../../../src/contract/oauth/apps.ts";
import { operatorOfCommand } from "../../../../src/domain/model/access.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { type ScenarioRequest, send } from "../../../support/scenarios.ts";
import { PASSWORD, publishReport, useService } from "../../../support/service.ts";
import { asPage, pageClient, post, signIn } from "../../../support/sessions.ts";
import { until } from "../../../support/until.ts";
import { deviceSchema, oauthActions, sendForm } from "../oauth/oauth-support.ts";
import { requestFor } from "../requests.ts";
import { entriesOf } from "./audit-support.ts";

const ORGANIZING = "Organizing a workspace changes neither a report nor who may read it.";

const REVIEWING = "Threads say themselves who wrote what, and change neither a report nor who may read it.";

/** Routes that change something and leave no entry, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  setFolder: ORGANIZING,
  createDrawer: ORGANIZING,
  renameDrawer: ORGANIZING,
  deleteDrawer: ORGANIZING,
  createFolder: ORGANIZING,
  renameFolder: ORGANIZING,
  moveFolder: ORGANIZING,
  deleteFolder: ORGANIZING,
  createTag: ORGANIZING,
  renameTag: ORGANIZING,
  moveTag: ORGANIZING,
  deleteTag: ORGANIZING,
  fileItems: ORGANIZING,
  tagItems: ORGANIZING,
  setDefaultFolder: ORGANIZING,
  addShortcut: ORGANIZING,
  removeShortcut: ORGANIZING,
  addFilter: ORGANIZING,
  renameFilter: ORGANIZING,
  removeFilter: ORGANIZING,
  ...{ createThread: REVIEWING, reply: REVIEWING, editComment: REVIEWING },
  ...{ resolveThread: REVIEWING, reopenThread: REVIEWING },
  deleteComment: "A person's own comment was never more than theirs. Deleting another's leaves an entry.",
  readComments: "It says only what its reader has seen.",
  readInbox: "It says only what its reader has seen.",
  setNotifications: "It concerns nobody but the person who sets it.",
  mailOff: "It concerns nobody but the person whose mail it is.",
  noteSeen: "Readers change nothing, and the audit log must not name them.",
  requestAccess: "Asking for access to a report that the user may read changes nothing.",
  answerDevice: "The access token is recorded when the device receives it.",
  setThumbnail: "The picture of a version changes neither its content nor who may read it.",
};

/** The numbers of entries of routes that change several reports. */
const NUMBERS: Readonly<Record<string, number>> = { addSamples: 3, removeSamples: 3 };

/** The action that each other route leaves. */
const ACTIONS: Readonly<Record<string, string>> = {
  upload: "report.publish",
  rename: "report.rename",
  setLatest: "report.roll_back",
  setVisibility: "report.set_visibility",
  shareWithOrganization: "report.set_visibility",
  setCommentSettings: "comments.turn_off",
  createGuestLink: "guest_link.create",
  updateGuestLink: "guest_link.update",
  revokeGuestLink: "guest_link.revoke",
  shareWithPeople: "report.share",
  shareItems: "report.set_visibility",
  acceptRequest: "report.share",
  declineRequest: "report.decline_access",
  setStorage: "report.set_storage",
  setTitle: "report.set_title",
  addSamples: "report.publish",
  removeSamples: "report.delete",
  deleteCode: "version.delete",
  deleteGroup: "report.delete",
  deleteItems: "report.delete",
  restoreItems: "report.restore",
  restoreTrash: "report.restore",
  purgeTrash: "report.purge",
  protect: "report.protect",
  setRetention: "retention.set",
  createOrganization: "organization.create",
  addMember: "member.add",
  removeMember: "member.remove",
  setRole: "member.set_role",
  createInvitation: "invitation.create",
  revokeInvitation: "invitation.revoke",
  acceptInvitation: "invitation.accept",
  setDisplayName: "workspace.rename",
  setDefaultVisibility: "workspace.set_default_visibility",
  setSeenBy: "workspace.set_seen_by",
  createToken: "token.create",
  revokeToken: "token.revoke",
  connectApp: "app.connect",
  disconnectApp: "app.disconnect",
  endSession: "session.end",
  endOtherSessions: "session.end",
  disableUser: "user.disable",
  enableUser: "user.enable",
  setOperator: "user.grant_operator",
  createResetLink: "password.create_reset_link",
  endUserSessions: "session.end",
  setPlan: "workspace.set_plan",
  revokeAnyToken: "token.revoke",
};

const changing = routes.filter(({ method }) => method === "POST");

test("every route that changes something is looked at here", () => {
  expect(changing.map(({ id }) => id).toSorted()).toEqual(
    [...Object.keys(EXCEPTIONS), ...Object.keys(ACTIONS)].toSorted(),
  );
});

describeOneEngine("what a request leaves in the audit log", (engine) => {
  const service = useService({ engine });
  let user: { slug: string; email: string; token: string };

  beforeAll(async () => {
    user = await service.build.user();
    const { id: userId } = await found(user);
    await store().setOperator({ by: operatorOfCommand(), userId, isOperator: true, now: Date.now() });
  });

  const store = () => service.build.store.operations;

  async function found({ slug }: { slug: string }) {
    const known = await service.build.store.people.findUserBySlug(slug);
    if (known === undefined) throw new Error(`The user ${slug} was not stored.`);
    return known;
  }

  /** A request of a route for sessions, which succeeds. */
  const ofSessions: Readonly<Record<string, () => Promise<{ body: unknown }>>> = {
    createToken: async () => ({
      body: { owner: user.slug, name: "CI", scopes: ["reports:read"], expires_in_days: null },
    }),
    revokeToken: async () => {
      const { id } = await service.build.tokens.create({ userSlug: user.slug, scopes: ["reports:read"] });
      return { body: { id } };
    },
    connectApp: async () => {
      const { register, requestOf } = oauthActions(service);
      const request = requestOf(String((await register()).answer.client_id));
      return { body: { request, allow: true, owner: user.slug, scopes: ["reports:read"] } };
    },
    disconnectApp: async () => {
      const { register, allow, redeem } = oauthActions(service);
      const clientId = String((await register()).answer.client_id);
      const page = pageClient(service, await signIn(service, user));
      await redeem(clientId, (await allow({ ...user, page }, clientId)).searchParams.get("code"));
      return { body: { id: (await page.call(appsRoute)).apps[0]?.id } };
    },
    answerDevice: async () => {
      const device = await sendForm(service, "/-/oauth/device", { client_id: "vitrine-cli" });
      const { user_code: code } = deviceSchema.parse(await device.json());
      return { body: { user_code: code, allow: true, owner: user.slug, scopes: ["reports:read"] } };
    },
    noteSeen: async () => {
      const { code } = await publishReport(service.client(user.token));
      return { body: { code } };
    },
    endSession: async () => {
      await signIn(service, user);
      const { id } = await found(user);
      const [session] = await service.build.store.people.listSessions(id, Date.now());
      return { body: { id: session?.ref } };
    },
    endOtherSessions: async () => {
      await signIn(service, user);
      return { body: {} };
    },
    disableUser: async () => ({ body: { user: (await service.build.user()).slug } }),
    enableUser: async () => {
      const other = await service.build.user();
      await store().disableUser({ by: operatorOfCommand(), userId: (await found(other)).id, now: Date.now() });
      return { body: { user: other.slug } };
    },
    setOperator: async () => ({ body: { user: (await service.build.user()).slug, is_operator: true } }),
    createResetLink: async () => ({ body: { user: (await service.build.user()).slug } }),
    endUserSessions: async () => {
      const other = await service.build.user();
      await signIn(service, other);
      return { body: { user: other.slug } };
    },
    setPlan: async () => ({ body: { owner: (await service.build.user()).slug, plan: "free" } }),
    revokeAnyToken: async () => {
      const { slug } = await service.build.user();
      const { id } = await service.build.tokens.create({ userSlug: slug, scopes: ["reports:read"] });
      return { body: { id } };
    },
  };

  async function validRequest(route: Route): Promise<ScenarioRequest> {
    if (route.credential !== "session") {
      const request = await requestFor(service, user, route);
      return { ...request, token: user.token };
    }
    const cookie = await signIn(service, user);
    return { ...(await ofSessions[route.id]?.()), headers: asPage(service, cookie) };
  }

  // The address that turns mail off is signed; the test of the mail asks for it.
  for (const route of changing.filter(({ id }) => id !== "mailOff")) {
    const action = ACTIONS[route.id];
    test(`${route.path}: ${action ?? `nothing. ${EXCEPTIONS[route.id]}`}`, async () => {
      // A roll back has to change something.
      const request = route.id === "setLatest" ? await rollBack() : await validRequest(route);
      const { response } = await send(service, route, request);
      expect(response.status).toBe(200);
      const entries = await entriesOf(service, response);
      expect(entries.map((entry) => entry.action)).toEqual(
        Array.from({ length: action === undefined ? 0 : (NUMBERS[route.id] ?? 1) }, () => action ?? ""),
      );
      for (const entry of entries) {
        expect(entry).toMatchObject({
          actor: user.slug,
          credential:
            route.credential === "session" ? { kind: "session", name: null } : { kind: "token", name: "Token" },
          address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
        });
        expect(entry.workspaceId).toMatch(/^wsp_/);
        expect(JSON.stringify(entry)).not.toContain(user.token);
      }
    });
  }

  async function rollBack() {
    const name = `rolled-${crypto.randomUUID().slice(0, 8)}`;
    const upload = routes.find(({ id }) => id === "upload") as Route;
    const publish = () => requestFor(service, user, upload).then(({ body }) => ({ ...(body as object), name }));
    const first = await send(service, upload, { token: user.token, body: await publish() });
    await send(service, upload, { token: user.token, body: await publish() });
    return { token: user.token, body: { name, code: (first.answer as { code: string }).code } };
  }

  describe("of sign-in", () => {
    const actionsOf = async (response: Response) =>
      (await entriesOf(service, response)).map(({ action, actor, credential }) => [action, actor, credential.kind]);

    test("signing in and out", async () => {
      const signedIn = await post(service, "/api/auth/sign-in/email", { email: user.email, password: PASSWORD });
      expect(await actionsOf(signedIn)).toEqual([["session.start", user.slug, "password"]]);
      const cookie = signedIn.headers.getSetCookie().join("; ");
      const signedOut = await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
      expect(await actionsOf(signedOut)).toEqual([["session.end", user.slug, "session"]]);
    });

    test("a wrong password, of an account that exists alone", async () => {
      const attempt = (email: string) =>
        post(service, "/api/auth/sign-in/email", { email, password: "wrong password" });
      const unknown = await attempt(`nobody-${crypto.randomUUID()}@example.org`);
      const wrong = await attempt(user.email);
      expect([unknown.status, wrong.status]).toEqual([401, 401]);
      await until(async () => (await entriesOf(service, wrong)).length > 0);
      expect(await actionsOf(wrong)).toEqual([["session.fail", null, "none"]]);
      expect(await actionsOf(unknown)).toEqual([]);
    });

    test("a new password, which ends other sessions", async () => {
      const { email, slug } = await service.build.user();
      const cookie = await signIn(service, { email });
      await signIn(service, { email });
      const passwords = { currentPassword: PASSWORD, newPassword: "another password", revokeTokens: true };
      const response = await post(service, "/api/auth/change-password", passwords, { Cookie: cookie });
      expect(response.status).toBe(200);
      const entries = (await actionsOf(response)).toSorted();
      expect(entries).toEqual([
        ["password.change", slug, "session"],
        ["session.end", slug, "session"],
        ["session.start", slug, "session"],
        ["token.revoke", slug, "session"],
      ]);
    });

    test("confirming one's identity", async () => {
      const cookie = await signIn(service, user);
      const response = await post(service, "/api/auth/confirm-password", { password: PASSWORD }, { Cookie: cookie });
      expect(await actionsOf(response)).toEqual([["session.confirm", user.slug, "session"]]);
    });
  });

  test("a request that fails leaves nothing", async () => {
    const route = routes.find(({ id }) => id === "deleteGroup") as Route;
    const { response } = await send(service, route, { token: user.token, body: { name: "never-published" } });
    expect(response.status).toBe(404);
    expect(await entriesOf(service, response)).toEqual([]);
  });
});
