import { describe, expect, test } from "bun:test";
import { addMemberRoute, membersRoute, removeMemberRoute } from "../../../../src/contract/people/members.ts";
import { ROLES, type Role } from "../../../../src/domain/model/entities.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import {
  addOrganization,
  addPerson,
  firstRoles,
  LEADERS,
  type Organization,
  OWNERS,
  PARTS,
  type Part,
  type Person,
  rolesIn,
  statusFor,
} from "../../../support/people.ts";
import { send } from "../../../support/scenarios.ts";
import { startService, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";

const listCase = casesOf<typeof membersRoute>();
const addCase = casesOf<typeof addMemberRoute>();
const removeCase = casesOf<typeof removeMemberRoute>();

describeOneEngine("members", (engine) => {
  const service = useService({ engine });

  const given = () => addOrganization(service);
  const roles = ({ slug }: Organization) => rolesIn(service, slug);
  const unchanged = async (organization: Organization) =>
    expect(await roles(organization)).toEqual(firstRoles(organization));
  const withSecondOwner = async () => {
    const organization = await given();
    const second = await addPerson(service);
    await organization.join(second, "owner");
    return { ...organization, second };
  };

  describe("list", () => {
    testCases(() => service, membersRoute, [
      ...LEADERS.map((part) =>
        listCase({
          name: `an ${part} sees all members with email addresses`,
          given,
          request: (organization) => ({ token: organization[part].token, query: { owner: organization.slug } }),
          status: 200,
          check: ({ members }, { owner, admin, member }) => {
            const entry = ({ userId, slug, email }: Person, role: Role) => ({
              userId,
              slug,
              email,
              role,
              display_name: null,
              since: expect.any(String),
            });
            const expected = [entry(owner, "owner"), entry(admin, "admin"), entry(member, "member")];
            expect(members).toEqual(expected.toSorted((a, b) => (a.slug < b.slug ? -1 : 1)));
          },
        }),
      ),
      listCase({
        name: "a member sees all members without email addresses",
        given,
        request: ({ member, slug }) => ({ token: member.token, query: { owner: slug } }),
        status: 200,
        check: ({ members }) => expect(members.map(({ email }) => email)).toEqual([null, null, null]),
      }),
      listCase({
        name: "with a read-only token",
        given: async () => {
          const organization = await given();
          const { slug: userSlug } = organization.member;
          return { ...organization, reading: await service.build.token({ userSlug, scopes: ["reports:read"] }) };
        },
        request: ({ reading, slug }) => ({ token: reading, query: { owner: slug } }),
        status: 200,
      }),
      listCase({
        name: "a stranger",
        given,
        request: ({ stranger, slug }) => ({ token: stranger.token, query: { owner: slug } }),
        status: 404,
        error: /^Organization ".*" not found/,
      }),
      listCase({
        name: "an organization that does not exist",
        given,
        request: ({ owner }) => ({ token: owner.token, query: { owner: "none" } }),
        status: 404,
        error: /^Organization ".*" not found/,
      }),
      listCase({
        name: "the caller's own workspace",
        given,
        request: ({ owner }) => ({ token: owner.token, query: { owner: owner.slug } }),
        status: 400,
        error: /^owner /,
      }),
      listCase({
        name: "another person's workspace",
        given,
        request: ({ owner, member }) => ({ token: owner.token, query: { owner: member.slug } }),
        status: 404,
      }),
      listCase({
        name: "no owner",
        given,
        request: ({ owner }) => ({ token: owner.token }),
        status: 400,
        error: "owner is required",
      }),
      listCase({ name: "no token", given, request: ({ slug }) => ({ query: { owner: slug } }), status: 401 }),
    ]);
  });

  describe("add", () => {
    const ADDERS: Readonly<Record<Role, readonly Part[]>> = { owner: OWNERS, admin: LEADERS, member: LEADERS };
    const withNewcomer = async () => ({ ...(await given()), newcomer: await addPerson(service) });
    const added = (by: Part, role: Role) =>
      addCase({
        name: `an ${by} adds a user as ${role}`,
        given: withNewcomer,
        request: (made) => ({ token: made[by].token, body: { owner: made.slug, user: made.newcomer.slug, role } }),
        status: statusFor(by, ADDERS[role]),
        after: async (made) => {
          const isAdded = statusFor(by, ADDERS[role]) === 200;
          expect(await roles(made)).toEqual({
            ...firstRoles(made),
            ...(isAdded ? { [made.newcomer.slug]: role } : {}),
          });
        },
      });
    const refused = (name: string, status: number, error: string | RegExp, body: (made: Organization) => object) =>
      addCase({
        name,
        given,
        request: (made) => ({ token: made.owner.token, body: body(made) }),
        status,
        error,
        after: unchanged,
      });

    testCases(() => service, addMemberRoute, [
      ...PARTS.flatMap((part) => ROLES.map((role) => added(part, role))),
      addCase({
        name: "the role is member by default, and the answer names the user",
        given: withNewcomer,
        request: ({ owner, slug, newcomer }) => ({ token: owner.token, body: { owner: slug, user: newcomer.slug } }),
        status: 200,
        check: (answer, { newcomer }) => expect(answer).toEqual({ ok: true, userId: newcomer.userId, role: "member" }),
      }),
      refused("a member already", 409, "already a member", ({ slug, member }) => ({ owner: slug, user: member.slug })),
      refused("an unknown user", 404, 'User "nobody" not found', ({ slug }) => ({ owner: slug, user: "nobody" })),
      refused("an organization as user", 404, /^User ".*" not found/, ({ slug }) => ({ owner: slug, user: slug })),
      refused("a role that does not exist", 400, /^role /, ({ slug, stranger }) => ({
        owner: slug,
        user: stranger.slug,
        role: "king",
      })),
      refused("into a person's workspace", 400, /^owner /, ({ owner, stranger }) => ({
        owner: owner.slug,
        user: stranger.slug,
      })),
      addCase({
        name: "a read-only token",
        given: async () => {
          const organization = await given();
          const { slug: userSlug } = organization.owner;
          return { ...organization, reading: await service.build.token({ userSlug, scopes: ["reports:read"] }) };
        },
        request: ({ reading, slug, stranger }) => ({ token: reading, body: { owner: slug, user: stranger.slug } }),
        status: 403,
        error: "reports:write",
        after: unchanged,
      }),
    ]);
  });

  describe("remove", () => {
    const REMOVERS: Readonly<Record<"owner" | "admin" | "member", readonly Part[]>> = {
      owner: OWNERS,
      admin: LEADERS,
      member: LEADERS,
    };
    const TARGETS = ["owner", "admin", "member"] as const;
    const subject = (made: Awaited<ReturnType<typeof withSecondOwner>>, target: Role) =>
      target === "owner" ? made.second : made[target];
    const removed = (by: Part, target: Role) => {
      const status = by === target && target !== "owner" ? 200 : statusFor(by, REMOVERS[target]);
      return removeCase({
        name: `an ${by} removes an ${target}${by === target && target !== "owner" ? " (themselves)" : ""}`,
        given: withSecondOwner,
        request: (made) => ({
          token: made[by].token,
          body: { owner: made.slug, userId: subject(made, target).userId },
        }),
        status,
        after: async (made) => {
          const { slug } = subject(made, target);
          expect((await roles(made))[slug]).toBe(status === 200 ? undefined : target);
        },
      });
    };

    testCases(() => service, removeMemberRoute, [
      ...PARTS.flatMap((part) => TARGETS.map((target) => removed(part, target))),
      removeCase({
        name: "an owner leaves while there is another one",
        given: withSecondOwner,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug, userId: owner.userId } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true }),
        after: async (made) => expect((await roles(made))[made.owner.slug]).toBeUndefined(),
      }),
      removeCase({
        name: "the last owner",
        given,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug, userId: owner.userId } }),
        status: 400,
        error: "needs at least one owner",
        after: unchanged,
      }),
      removeCase({
        name: "a user who isn't a member",
        given,
        request: ({ owner, slug, stranger }) => ({
          token: owner.token,
          body: { owner: slug, userId: stranger.userId },
        }),
        status: 404,
        error: /^Member not found/,
        after: unchanged,
      }),
      removeCase({
        name: "the user from their own workspace",
        given,
        request: ({ owner }) => ({ token: owner.token, body: { owner: owner.slug, userId: owner.userId } }),
        status: 400,
        error: /^owner /,
      }),
      removeCase({
        name: "no user id",
        given,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug } }),
        status: 400,
        error: "userId is required",
        after: unchanged,
      }),
    ]);
  });
});

describeOneEngine("members on a server with open registration", (engine) => {
  test("users can't be added without their consent", async () => {
    await using service = await startService({ engine, environment: { VITRINE_SIGN_UP: "open" } });
    const { owner, slug, stranger } = await addOrganization(service);
    const { response } = await send(service, addMemberRoute, {
      token: owner.token,
      body: { owner: slug, user: stranger.slug },
    });
    expect(response.status).toBe(403);
    expect(await rolesIn(service, slug)).not.toHaveProperty(stranger.slug);
  });
});
