import { expect, test } from "bun:test";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";

describeOneEngine("memberships", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  const membership = (organization: string, user: string) => `
    workspace_id = (select id from workspaces where slug = '${organization}')
    and user_id = (select user_id from memberships where role = 'owner'
      and workspace_id = (select id from workspaces where slug = '${user}'))`;
  const removeMember = (organization: string, user: string) =>
    executeSql(service.database, `delete from memberships where ${membership(organization, user)}`);

  async function organizationWithMember() {
    const organization = await service.build.organization({ roles: ["member", "admin"] });
    const [member, admin] = organization.members;
    if (member === undefined || admin === undefined) throw new Error("The organization has no members.");
    return { organization, member, admin, personalToken: await service.build.token({ userSlug: member.slug }) };
  }

  test("a token uploads to its own workspace", async () => {
    const { organization, member, personalToken } = await organizationWithMember();
    expect(await act.publish(member.token)).toMatchObject({ owner: organization.slug });
    expect(await act.publish(personalToken)).toMatchObject({ owner: member.slug });
  });

  test("a user's tokens reach all of their workspaces, but add versions only to reports in the token's workspace", async () => {
    const { member, personalToken } = await organizationWithMember();
    const [shared, own] = [uniqueName(), uniqueName()];
    await act.publish(member.token, { name: shared });
    await act.publish(personalToken, { name: own });
    expect((await act.group(personalToken, shared)).name).toBe(shared);
    expect((await act.group(member.token, own)).name).toBe(own);
    expect(await statusOf(act.setFolder(member.token, { name: own, folder: "A" }))).toBe(200);
    expect(await statusOf(act.publish(personalToken, { name: shared }))).toBe(409);
    expect(await statusOf(act.publish(member.token, { name: own }))).toBe(409);
  });

  test("a report is filed in the cabinet of its workspace, with any token", async () => {
    const { organization, member, personalToken } = await organizationWithMember();
    const [shared, own, other] = [uniqueName(), uniqueName(), uniqueName()];
    await act.publish(member.token, { name: shared, visibility: "org" });
    await act.publish(organization.owner.token, { name: other, folder: "Place" });
    await act.publish(personalToken, { name: own, folder: "Place" });
    await act.setFolder(personalToken, { name: shared, folder: "Place" });
    const folderOf = async (name: string, token: string) => (await act.group(token, name)).folder_id;
    expect(await folderOf(shared, member.token)).toBe(await folderOf(other, organization.owner.token));
    expect(await folderOf(shared, member.token)).not.toBe(await folderOf(own, personalToken));
  });

  test("a colleague in an organization can't reach a person's own workspace", async () => {
    const { personalToken, admin } = await organizationWithMember();
    const name = uniqueName();
    const { code } = await act.publish(personalToken, { name, visibility: "private" });
    expect(await statusOf(act.group(admin.token, name))).toBe(404);
    expect((await act.read(admin.token, code)).status).toBe(404);
    expect(await statusOf(act.rename(admin.token, name, uniqueName()))).toBe(404);
  });

  test("a colleague's token reads a report shared from a personal workspace with `org`, which isn't listed as theirs", async () => {
    const { personalToken, admin } = await organizationWithMember();
    const stranger = await service.build.user();
    const name = uniqueName();
    const { code } = await act.publish(personalToken, { name, visibility: "org" });
    const seenBy = async (token: string) => ({
      listed: (await act.list(token)).groups.some((entry) => entry.name === name),
      group: await statusOf(act.group(token, name)),
      readBack: (await act.read(token, code)).status,
    });
    expect(await seenBy(stranger.token)).toEqual({ listed: false, group: 404, readBack: 404 });
    expect(await seenBy(admin.token)).toEqual({ listed: false, group: 200, readBack: 200 });
    expect(await seenBy(personalToken)).toEqual({ listed: true, group: 200, readBack: 200 });
  });

  test("only its owner can change a report shared from a personal workspace with `org`", async () => {
    const { personalToken, organization } = await organizationWithMember();
    const name = uniqueName();
    const { code } = await act.publish(personalToken, { name, visibility: "org" });
    const { token } = organization.owner;
    const statuses = await Promise.all([
      statusOf(act.rename(token, name, uniqueName())),
      statusOf(act.setFolder(token, { name, folder: "A" })),
      statusOf(act.setVisibility(token, { code, visibility: "public" })),
      statusOf(act.deleteGroup(token, name)),
      statusOf(act.publish(token, { name })),
    ]);
    expect(statuses.filter((status) => ![403, 404, 409].includes(status))).toEqual([]);
    expect(await act.group(personalToken, name)).toMatchObject({ current_code: code, folder: null });
  });

  test("a removed member's token for the organization is no longer valid", async () => {
    const { organization, member } = await organizationWithMember();
    const { code } = await act.publish(member.token);
    expect((await act.read(member.token, code)).status).toBe(200);
    await removeMember(organization.slug, member.slug);
    expect({
      list: await statusOf(act.list(member.token)),
      publish: await statusOf(act.publish(member.token)),
      deleteCode: await statusOf(act.deleteCode(member.token, code)),
      readBack: (await act.read(member.token, code)).status,
    }).toEqual({ list: 401, publish: 401, deleteCode: 401, readBack: 401 });
    expect((await act.read(organization.owner.token, code)).status).toBe(200);
  });

  test("a removed member loses their reports in the organization, and keeps their own", async () => {
    const { organization, member, personalToken } = await organizationWithMember();
    const [shared, own] = [uniqueName(), uniqueName()];
    const { code } = await act.publish(member.token, { name: shared });
    await act.publish(personalToken, { name: own });
    expect((await act.group(personalToken, shared)).name).toBe(shared);
    await removeMember(organization.slug, member.slug);
    const { owners, groups } = await act.list(personalToken);
    expect(owners.map(({ slug }) => slug)).toEqual([member.slug]);
    expect(groups.map(({ name }) => name)).toEqual([own]);
    expect({
      group: await statusOf(act.group(personalToken, shared)),
      rename: await statusOf(act.rename(personalToken, shared, uniqueName())),
      setVisibility: await statusOf(act.setVisibility(personalToken, { code, visibility: "public" })),
      deleteGroup: await statusOf(act.deleteGroup(personalToken, shared)),
      readBack: (await act.read(personalToken, code)).status,
    }).toEqual({ group: 404, rename: 404, setVisibility: 404, deleteGroup: 404, readBack: 404 });
    expect(await act.deleteCode(personalToken, code)).toEqual({ ok: true, deleted: false });
    expect((await act.group(organization.owner.token, shared)).current_code).toBe(code);
  });

  test("an admin who becomes a member loses at once what only admins may do", async () => {
    const { organization, member, admin } = await organizationWithMember();
    const name = uniqueName();
    await act.publish(member.token, { name, visibility: "private" });
    expect(await statusOf(act.group(admin.token, name))).toBe(200);
    await executeSql(
      service.database,
      `update memberships set role = 'member' where ${membership(organization.slug, admin.slug)}`,
    );
    expect(await statusOf(act.group(admin.token, name))).toBe(404);
    expect((await act.list(admin.token)).groups).toEqual([]);
  });
});
