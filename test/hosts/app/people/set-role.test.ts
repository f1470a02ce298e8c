import { expect, test } from "bun:test";
import { removeMemberRoute, setRoleRoute } from "../../../../src/contract/people/members.ts";
import { ROLES } from "../../../../src/domain/model/entities.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import {
  addOrganization,
  addPerson,
  firstRoles,
  LEADERS,
  type Organization,
  OWNERS,
  PARTS,
  type Person,
  rolesIn,
  statusFor,
} from "../../../support/people.ts";
import { send } from "../../../support/scenarios.ts";
import { useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";

const roleCase = casesOf<typeof setRoleRoute>();

describeOneEngine("org/members/set-role", (engine) => {
  const service = useService({ engine });

  const given = () => addOrganization(service);
  const roles = ({ slug }: Organization) => rolesIn(service, slug);
  const unchanged = async (organization: Organization) =>
    expect(await roles(organization)).toEqual(firstRoles(organization));
  const wishes = PARTS.flatMap((by) =>
    ROLES.flatMap((from) => ROLES.filter((to) => to !== from).map((to) => ({ by, from, to }))),
  );

  testCases(() => service, setRoleRoute, [
    ...wishes.map(({ by, from, to }) => {
      const status = statusFor(by, from === "owner" || to === "owner" ? OWNERS : LEADERS);
      return roleCase({
        name: `an ${by} makes an ${from} an ${to}`,
        given: async () => {
          const organization = await given();
          const subject = await addPerson(service);
          await organization.join(subject, from);
          return { ...organization, subject };
        },
        request: (made) => ({
          token: made[by].token,
          body: { owner: made.slug, userId: made.subject.userId, role: to },
        }),
        status,
        check: (answer) =>
          expect(answer).toMatchObject(status === 200 ? { ok: true, role: to } : { error: expect.any(String) }),
        after: async (made) =>
          expect(await roles(made)).toEqual({ ...firstRoles(made), [made.subject.slug]: status === 200 ? to : from }),
      });
    }),
    ...(["admin", "member"] as const).map((role) =>
      roleCase({
        name: `the last owner becomes ${role}`,
        given,
        request: ({ owner, slug }) => ({ token: owner.token, body: { owner: slug, userId: owner.userId, role } }),
        status: 400,
        error: "needs at least one owner",
        after: unchanged,
      }),
    ),
    roleCase({
      name: "the last owner stays owner",
      given,
      request: ({ owner, slug }) => ({
        token: owner.token,
        body: { owner: slug, userId: owner.userId, role: "owner" },
      }),
      status: 200,
      after: unchanged,
    }),
    roleCase({
      name: "an admin demotes themselves",
      given,
      request: ({ admin, slug }) => ({
        token: admin.token,
        body: { owner: slug, userId: admin.userId, role: "member" },
      }),
      status: 200,
      after: async (made) => expect((await roles(made))[made.admin.slug]).toBe("member"),
    }),
    roleCase({
      name: "a user who isn't a member",
      given,
      request: ({ owner, slug, stranger }) => ({
        token: owner.token,
        body: { owner: slug, userId: stranger.userId, role: "admin" },
      }),
      status: 404,
      error: /^Member not found/,
      after: unchanged,
    }),
    roleCase({
      name: "no role",
      given,
      request: ({ owner, slug, member }) => ({ token: owner.token, body: { owner: slug, userId: member.userId } }),
      status: 400,
      error: /^role /,
      after: unchanged,
    }),
    roleCase({
      name: "in a person's workspace",
      given,
      request: ({ owner }) => ({
        token: owner.token,
        body: { owner: owner.slug, userId: owner.userId, role: "member" },
      }),
      status: 400,
      error: /^owner /,
    }),
  ]);
  test("owners who remove and demote each other concurrently leave one owner", async () => {
    for (let round = 0; round < 5; round++) {
      const made = await given();
      const second = await addPerson(service);
      await made.join(second, "owner");
      const { owner, slug } = made;
      const remove = (by: Person, whom: Person) =>
        send(service, removeMemberRoute, { token: by.token, body: { owner: slug, userId: whom.userId } });
      const demote = (by: Person, whom: Person) =>
        send(service, setRoleRoute, { token: by.token, body: { owner: slug, userId: whom.userId, role: "member" } });
      const answers = await Promise.all([
        remove(owner, second),
        demote(second, owner),
        remove(owner, owner),
        demote(second, second),
      ]);
      for (const { response } of answers) expect([200, 400, 403, 404]).toContain(response.status);
      const owners = Object.values(await roles(made)).filter((role) => role === "owner");
      expect(owners).toHaveLength(1);
    }
  });
});
