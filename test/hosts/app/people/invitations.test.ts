import { describe, expect } from "bun:test";
import {
  acceptInvitationRoute,
  createInvitationRoute,
  invitationsRoute,
  revokeInvitationRoute,
} from "../../../../src/contract/people/invitations.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import {
  addOrganization,
  addPerson,
  invite,
  LEADERS,
  type Organization,
  PARTS,
  rolesIn,
  statusFor,
} from "../../../support/people.ts";
import { send } from "../../../support/scenarios.ts";
import { useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";

const createCase = casesOf<typeof createInvitationRoute>();
const listCase = casesOf<typeof invitationsRoute>();
const revokeCase = casesOf<typeof revokeInvitationRoute>();
const acceptCase = casesOf<typeof acceptInvitationRoute>();

const DAY = 24 * 60 * 60_000;

describeOneEngine("invitations", (engine) => {
  const service = useService({ engine });

  const given = () => addOrganization(service);
  const withInvitation = async (wanted: { email?: string; role?: "member" | "admin" } = {}) => {
    const organization = await given();
    const guest = await addPerson(service);
    const invitation = await invite(service, organization.admin.token, { owner: organization.slug, ...wanted });
    return { ...organization, guest, invitation };
  };
  const openIn = async ({ owner, slug }: Organization) => {
    const { answer } = await send(service, invitationsRoute, { token: owner.token, query: { owner: slug } });
    return invitationsRoute.response.parse(answer).invitations;
  };
  const roleOf = async (slug: string, person: { slug: string }) => (await rolesIn(service, slug))[person.slug];

  describe("create", () => {
    const refused = (name: string, error: RegExp | string, body: object) =>
      createCase({
        name,
        given,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug, ...body } }),
        status: 400,
        error,
        after: async (made) => expect(await openIn(made)).toEqual([]),
      });

    testCases(() => service, createInvitationRoute, [
      ...PARTS.map((part) =>
        createCase({
          name: `an ${part} invites`,
          given,
          request: (made) => ({ token: made[part].token, body: { owner: made.slug } }),
          status: statusFor(part, LEADERS),
          after: async (made) => expect(await openIn(made)).toHaveLength(statusFor(part, LEADERS) === 200 ? 1 : 0),
        }),
      ),
      createCase({
        name: "for seven days and as a member, by default",
        given,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug } }),
        status: 200,
        check: (answer) => {
          expect(answer).toMatchObject({ role: "member", email: null });
          expect(answer.url).toMatch(/\/-\/invitation\?token=[0-9A-Za-z]{32}$/);
          expect(answer.url).toStartWith(service.baseUrl);
          expect(Date.parse(answer.expires_at) - Date.now()).toBeWithin(7 * DAY - 60_000, 7 * DAY + 1);
        },
      }),
      createCase({
        name: "an admin for an hour by an address, in any case",
        given,
        request: ({ admin, slug }) => ({
          token: admin.token,
          body: { owner: slug, role: "admin", email: "Grace@Example.org", expires: "1h" },
        }),
        status: 200,
        check: (answer) => {
          expect(answer).toMatchObject({ role: "admin", email: "grace@example.org" });
          expect(Date.parse(answer.expires_at) - Date.now()).toBeWithin(DAY / 24 - 60_000, DAY / 24 + 1);
        },
      }),
      refused("an owner", /^role /, { role: "owner" }),
      refused("an invalid address", /^email /, { email: "grace" }),
      refused("something that is no duration", /^expires /, { expires: "soon" }),
      refused("for longer than 90 days", /^expires /, { expires: "91d" }),
      refused("to a list", /^owner /, { owner: [] }),
      createCase({
        name: "to a person's workspace",
        given,
        request: ({ owner }) => ({ token: owner.token, body: { owner: owner.slug } }),
        status: 400,
        error: /^owner /,
      }),
    ]);
  });

  describe("list", () => {
    testCases(() => service, invitationsRoute, [
      ...PARTS.map((part) =>
        listCase({
          name: `an ${part} lists`,
          given: () => withInvitation({ email: "grace@example.org" }),
          request: (made) => ({ token: made[part].token, query: { owner: made.slug } }),
          status: statusFor(part, LEADERS),
          check: (answer, { admin, invitation }) => {
            if (statusFor(part, LEADERS) !== 200) return;
            expect(answer.invitations).toMatchObject([
              { id: invitation.id, role: "member", email: "grace@example.org", invited_by: admin.slug },
            ]);
            expect(JSON.stringify(answer)).not.toContain(invitation.secret);
          },
        }),
      ),
      listCase({
        name: "of a person's workspace",
        given,
        request: ({ owner }) => ({ token: owner.token, query: { owner: owner.slug } }),
        status: 400,
        error: /^owner /,
      }),
      listCase({
        name: "without used and expired ones",
        given: async () => {
          const made = await withInvitation();
          const { token } = made.guest;
          await send(service, acceptInvitationRoute, { token, body: { token: made.invitation.secret } });
          const { id } = await invite(service, made.owner.token, { owner: made.slug });
          await executeSql(service.database, `update invitations set expires_at = ${Date.now()} where id = '${id}'`);
          return made;
        },
        request: ({ owner, slug }) => ({ token: owner.token, query: { owner: slug } }),
        status: 200,
        check: ({ invitations }) => expect(invitations).toEqual([]),
      }),
    ]);
  });

  describe("revoke", () => {
    testCases(() => service, revokeInvitationRoute, [
      ...PARTS.map((part) =>
        revokeCase({
          name: `an ${part} revokes`,
          given: () => withInvitation(),
          request: (made) => ({ token: made[part].token, body: { owner: made.slug, id: made.invitation.id } }),
          status: statusFor(part, LEADERS),
          after: async (made) => expect(await openIn(made)).toHaveLength(statusFor(part, LEADERS) === 200 ? 0 : 1),
        }),
      ),
      revokeCase({
        name: "one of another organization",
        given: async () => ({ made: await withInvitation(), other: await given() }),
        request: ({ made, other }) => ({
          token: other.owner.token,
          body: { owner: other.slug, id: made.invitation.id },
        }),
        status: 404,
        error: /^Invitation ".*" not found/,
        after: async ({ made }) => expect(await openIn(made)).toHaveLength(1),
      }),
      revokeCase({
        name: "in a person's workspace",
        given: () => withInvitation(),
        request: ({ owner, invitation }) => ({ token: owner.token, body: { owner: owner.slug, id: invitation.id } }),
        status: 400,
      }),
    ]);
  });

  describe("accept", () => {
    type Made = Awaited<ReturnType<typeof withInvitation>>;
    const over = (name: string, end: (made: Made) => Promise<unknown>) =>
      acceptCase({
        name,
        given: async () => {
          const made = await withInvitation();
          await end(made);
          return made;
        },
        request: ({ guest, invitation }) => ({ token: guest.token, body: { token: invitation.secret } }),
        status: 400,
        error: /^This invitation was used or revoked, or it has expired\. Ask for a new one\.$/,
        after: async ({ slug, guest }) => expect(await roleOf(slug, guest)).toBeUndefined(),
      });

    testCases(() => service, acceptInvitationRoute, [
      ...(["member", "admin"] as const).map((role) =>
        acceptCase({
          name: `a person joins as ${role}, which uses up the link`,
          given: () => withInvitation({ role }),
          request: ({ guest, invitation }) => ({ token: guest.token, body: { token: invitation.secret } }),
          status: 200,
          check: (answer, { slug }) => expect(answer).toEqual({ ok: true, owner: slug }),
          after: async (made) => {
            expect(await roleOf(made.slug, made.guest)).toBe(role);
            const body = { token: made.invitation.secret };
            const again = await send(service, acceptInvitationRoute, { token: made.stranger.token, body });
            expect(again.response.status).toBe(400);
            expect(await roleOf(made.slug, made.stranger)).toBeUndefined();
          },
        }),
      ),
      acceptCase({
        name: "a user who is already a member, and the link stays valid",
        given: () => withInvitation(),
        request: ({ member, invitation }) => ({ token: member.token, body: { token: invitation.secret } }),
        status: 409,
        error: "already a member",
        after: async (made) => {
          expect(await roleOf(made.slug, made.member)).toBe("member");
          expect(await openIn(made)).toHaveLength(1);
        },
      }),
      acceptCase({
        name: "another person than the invited one, and the link stays valid",
        given: () => withInvitation({ email: "grace@example.org" }),
        request: ({ guest, invitation }) => ({ token: guest.token, body: { token: invitation.secret } }),
        status: 403,
        error: "another email address",
        after: async (made) => {
          expect(await roleOf(made.slug, made.guest)).toBeUndefined();
          expect(await openIn(made)).toHaveLength(1);
        },
      }),
      acceptCase({
        name: "a token for an organization",
        given: async () => {
          const made = await withInvitation();
          const { slug: workspaceSlug, owner } = await given();
          return { ...made, token: await service.build.token({ userSlug: owner.slug, workspaceSlug }) };
        },
        request: ({ token, invitation }) => ({ token, body: { token: invitation.secret } }),
        status: 403,
        error: "belongs to an organization",
        after: async (made) => expect(await openIn(made)).toHaveLength(1),
      }),
      over("a link that never was", async (made) => {
        made.invitation.secret = `${made.invitation.secret.slice(1)}x`;
      }),
      over("a link that was taken back", ({ owner, slug, invitation }) =>
        send(service, revokeInvitationRoute, { token: owner.token, body: { owner: slug, id: invitation.id } }),
      ),
      over("a link that has expired", ({ invitation }) =>
        executeSql(service.database, `update invitations set expires_at = ${Date.now()} where id = '${invitation.id}'`),
      ),
      over("a link of a user who has left", ({ admin, slug }) =>
        service.build.store.people.findWorkspace(slug).then((workspace) =>
          service.build.store.people.removeMember({
            workspaceId: workspace?.id ?? "",
            actorId: admin.userId,
            userId: admin.userId,
          }),
        ),
      ),
      over("a link of a user who may no longer invite", ({ admin }) =>
        executeSql(
          service.database,
          `update memberships set role = 'member' where role = 'admin' and user_id = '${admin.userId}'`,
        ),
      ),
      acceptCase({
        name: "no link",
        given: () => withInvitation(),
        request: ({ guest }) => ({ token: guest.token, body: {} }),
        status: 400,
        error: "token is required",
      }),
    ]);
  });
});
