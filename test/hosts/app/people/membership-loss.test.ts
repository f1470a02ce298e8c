import { describe, expect, test } from "bun:test";
import { membersRoute, removeMemberRoute, setRoleRoute } from "../../../../src/contract/people/members.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, type Person } from "../../../support/people.ts";
import { framedBy } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { actionsOf, statusOf } from "../actions.ts";

describeOneEngine("a person who leaves an organization", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  /** Creates an organization and a member with a token for it, a personal token, and a signed-in browser. */
  async function given() {
    const organization = await addOrganization(service);
    const { slug, member, owner } = organization;
    const inside = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const ownersInside = await service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const name = uniqueName();
    const { code } = await act.publish(ownersInside, { name, visibility: "org" });
    const page = await openPage(code, await signIn(service, member));
    const src = framedBy(page.body) ?? "";
    return { ...organization, inside, ownersInside, name, code, src, cookie: page.cookie };
  }

  async function openPage(code: string, cookie: string) {
    const response = await act.open(`/${code}/`, { headers: { Cookie: cookie } });
    return { status: response.status, body: await response.text(), cookie };
  }
  const listed = async (headers: Record<string, string>) => {
    const response = await fetch(`${service.baseUrl}/api/list`, { headers });
    return { status: response.status, body: await response.text() };
  };
  type Given = Awaited<ReturnType<typeof given>>;

  /** Returns what the member can reach of the organization, with each of their credentials. */
  async function reach({ slug, inside, member, name, code, src, cookie }: Given) {
    return {
      tokenInside: (await listed({ Authorization: `Bearer ${inside}` })).status,
      tokenOfOwn: await statusOf(act.group(member.token, name)),
      members: await statusOf(service.client(member.token).call(membersRoute, { query: { owner: slug } })),
      readBack: (await act.read(member.token, code)).status,
      page: (await openPage(code, cookie)).status,
      ticket: (await fetch(src)).status,
      session: (await listed({ Cookie: cookie })).body.includes(slug),
    };
  }
  const everything = {
    tokenInside: 200,
    tokenOfOwn: 200,
    members: 200,
    readBack: 200,
    page: 200,
    ticket: 200,
    session: true,
  };
  const nothing = {
    tokenInside: 401,
    tokenOfOwn: 404,
    members: 404,
    readBack: 404,
    page: 404,
    ticket: 404,
    session: false,
  };
  const remove = (by: Person, { slug }: Given, whom: Person) =>
    service.client(by.token).call(removeMemberRoute, { body: { owner: slug, userId: whom.userId } });

  describe.each([["owner"], ["admin"], ["member"]] as const)("removed by the %s", (by) => {
    test("loses access with every token and session at once, and keeps their own reports", async () => {
      const made = await given();
      const own = uniqueName();
      await act.publish(made.member.token, { name: own });
      expect(await reach(made)).toEqual(everything);
      await remove(made[by], made, made.member);
      expect(await reach(made)).toEqual(nothing);
      expect(await statusOf(act.group(made.member.token, own))).toBe(200);
      expect((await listed({ Cookie: made.cookie })).body).toContain(own);
    });
  });

  test("has access again after returning, with the earlier tokens", async () => {
    const made = await given();
    await remove(made.owner, made, made.member);
    await made.join(made.member, "member");
    expect(await reach(made)).toEqual(everything);
  });

  test("leaves their reports to the organization", async () => {
    const made = await given();
    const name = uniqueName();
    const { code } = await act.publish(made.inside, { name });
    await remove(made.owner, made, made.member);
    expect((await act.group(made.ownersInside, name)).current_code).toBe(code);
    expect(await statusOf(act.group(made.member.token, name))).toBe(404);
  });

  test("an admin who becomes a member no longer sees what only admins may see", async () => {
    const made = await given();
    const cookie = await signIn(service, made.admin);
    const { code } = await act.publish(made.inside, { visibility: "private" });
    const src = framedBy((await openPage(code, cookie)).body) ?? "";
    const sees = async () => [
      (await openPage(code, cookie)).status,
      (await fetch(src)).status,
      (await act.read(made.admin.token, code)).status,
    ];
    expect(await sees()).toEqual([200, 200, 200]);
    const body = { owner: made.slug, userId: made.admin.userId, role: "member" as const };
    await service.client(made.owner.token).call(setRoleRoute, { body });
    expect(await sees()).toEqual([404, 404, 404]);
  });

  test("the others no longer see what the person shares from their own workspace", async () => {
    const made = await given();
    const cookie = await signIn(service, made.owner);
    const { code } = await act.publish(made.member.token, { visibility: "org" });
    expect((await openPage(code, cookie)).status).toBe(200);
    await remove(made.member, made, made.member);
    expect((await openPage(code, cookie)).status).toBe(404);
  });
});
