import { beforeAll, expect } from "bun:test";
import { itemRoute } from "../../../../src/contract/reports/details.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { type OrderActions, orderActionsOf } from "../cabinet/order-actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { casesOfCredentials } from "./item-support.ts";

const itemCase = casesOf<typeof itemRoute>();

describeOneEngine("a report", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let owner: { slug: string; email: string; token: string };

  beforeAll(async () => {
    owner = await service.build.user();
  });

  async function group(count = 1, overrides: Parameters<OrderActions["publish"]>[1] = {}) {
    const name = uniqueName();
    return { name, codes: await act.publishVersions(owner.token, name, count, overrides) };
  }
  const byName = ({ name }: { name: string }) => ({ token: owner.token, query: { name } });
  const byCode = ({ code }: { code: string }) => ({ token: owner.token, query: { code } });

  /** Creates an organization's report with three versions of a member, and a colleague. */
  async function shared() {
    const { slug, member, admin, stranger, join } = await addOrganization(service);
    await join(stranger, "member");
    const inside = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const name = uniqueName();
    const codes = await act.publishVersions(inside, name, 3, { visibility: "org" });
    return { slug, name, codes, inside, member, admin, colleague: stranger };
  }

  testCases(() => service, itemRoute, [
    itemCase({
      name: "every field of a named report",
      given: async () => {
        const { slug, token } = owner;
        const name = uniqueName();
        const drawer = await act.createDrawer(token, slug, "Sales");
        const folder = await act.createFolder(token, slug, "2026", drawer.id);
        const tag = await act.createTag(token, slug, "Weekly");
        const first = await act.publish(token, { name, title: "First", visibility: "public" });
        const second = await act.publish(token, { name, title: "Second" });
        await act.fileItems(token, { items: [{ name }], folder_id: folder.id });
        await act.tagItems(token, { items: [{ name }], set: [tag.id] });
        return { name, drawer, folder, tag, first, second };
      },
      request: byName,
      status: 200,
      check: (answer, { name, drawer, folder, tag, first, second }) =>
        expect(answer).toEqual({
          kind: "group",
          name,
          code: second.code,
          title: "Second",
          display_title: null,
          document_title: "Second",
          owner_slug: owner.slug,
          visibility: "public",
          current_visibility: "public",
          storage: "none",
          folder: "Sales/2026",
          folder_id: folder.id,
          drawer_id: drawer.id,
          tags: [{ id: tag.id, title: "Weekly" }],
          version_count: 2,
          created_at: first.created_at,
          updated_at: second.created_at,
          live_url: `${service.contentUrl}/@${owner.slug}/${name}/`,
          url: `${service.contentUrl}/${second.code}/`,
          thumbnail_url: null,
          may_control: true,
          protected: false,
        }),
    }),
    itemCase({
      name: "every field of an unnamed report",
      given: () => act.publish(owner.token, { title: "Alone" }),
      request: byCode,
      status: 200,
      check: (answer, { code, created_at }) =>
        expect(answer).toEqual({
          kind: "report",
          code,
          title: "Alone",
          display_title: null,
          document_title: "Alone",
          owner_slug: owner.slug,
          visibility: "private",
          current_visibility: "private",
          storage: "none",
          folder: null,
          folder_id: null,
          drawer_id: null,
          tags: [],
          version_count: 1,
          created_at,
          updated_at: created_at,
          url: `${service.baseUrl}/${code}/`,
          thumbnail_url: null,
          may_control: true,
          protected: false,
        }),
    }),
    itemCase({
      name: "the code of an earlier version finds its report",
      given: async () => {
        const made = await group(3);
        return { ...made, code: made.codes[0] ?? "", seen: (await act.group(owner.token, made.name)).current_code };
      },
      request: byCode,
      status: 200,
      check: (answer, { name, seen }) =>
        expect(answer).toMatchObject({ kind: "group", name, code: seen, title: "Version 3", version_count: 3 }),
    }),
    itemCase({
      name: "after setlatest: the current version",
      given: async () => {
        const made = await group(2);
        await act.setLatest(owner.token, made.name, made.codes[0] ?? "");
        return made;
      },
      request: byName,
      status: 200,
      check: (answer, { codes }) => expect(answer).toMatchObject({ code: codes[0], title: "Version 1" }),
    }),
    itemCase({
      name: "a current version that alone was withdrawn: the report is still public",
      given: async () => {
        const made = await group(2, { visibility: "public" });
        await act.setVisibility(owner.token, { code: made.codes[1] ?? "", visibility: "private" });
        return made;
      },
      request: byName,
      status: 200,
      check: (answer, { name, codes }) =>
        expect(answer).toMatchObject({
          visibility: "public",
          current_visibility: "private",
          live_url: `${service.contentUrl}/@${owner.slug}/${name}/`,
          url: `${service.baseUrl}/${codes[1]}/`,
          version_count: 2,
        }),
    }),
    itemCase({
      name: "to a colleague: without versions they may not read, and without permission to delete",
      given: async () => {
        const made = await shared();
        await act.setVisibility(made.inside, { code: made.codes[0] ?? "", visibility: "private" });
        return made;
      },
      request: ({ colleague, name }) => ({ token: colleague.token, query: { name } }),
      status: 200,
      check: (answer, { slug }) =>
        expect(answer).toMatchObject({ owner_slug: slug, version_count: 2, may_control: false, visibility: "org" }),
    }),
    itemCase({
      name: "to an admin: every version, with permission to delete",
      given: async () => {
        const made = await shared();
        await act.setVisibility(made.inside, { code: made.codes[0] ?? "", visibility: "private" });
        return made;
      },
      request: ({ admin, name }) => ({ token: admin.token, query: { name } }),
      status: 200,
      check: (answer) => expect(answer).toMatchObject({ version_count: 3, may_control: true }),
    }),
    itemCase({
      name: "to its creator: with permission to delete",
      given: shared,
      request: ({ member, name }) => ({ token: member.token, query: { name } }),
      status: 200,
      check: (answer) => expect(answer).toMatchObject({ version_count: 3, may_control: true }),
    }),
    itemCase({
      name: "to a colleague, if its current version is withdrawn",
      given: async () => {
        const made = await shared();
        await act.setVisibility(made.inside, { code: made.codes[2] ?? "", visibility: "private" });
        return made;
      },
      request: ({ colleague, name }) => ({ token: colleague.token, query: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    itemCase({
      name: "to a colleague, by the code of a version that they may not read",
      given: async () => {
        const made = await shared();
        await act.setVisibility(made.inside, { code: made.codes[0] ?? "", visibility: "private" });
        return made;
      },
      request: ({ colleague, codes }) => ({ token: colleague.token, query: { code: codes[0] ?? "" } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    itemCase({
      name: "in a session",
      given: async () => ({ ...(await group()), cookie: await signIn(service, owner) }),
      request: ({ cookie, name }) => ({ headers: { Cookie: cookie }, query: { name } }),
      status: 200,
    }),
    ...(["public", "org", "private"] as const).flatMap((visibility) => [
      itemCase({
        name: `another user's ${visibility} report by its name`,
        given: async () => ({ ...(await group(1, { visibility })), token: (await service.build.user()).token }),
        request: ({ token, name }) => ({ token, query: { name } }),
        status: 404,
        error: /^Report ".*" not found/,
      }),
      itemCase({
        name: `another user's ${visibility} report by its code`,
        given: async () => ({
          ...(await act.publish(owner.token, { visibility })),
          token: (await service.build.user()).token,
        }),
        request: ({ token, code }) => ({ token, query: { code } }),
        status: 404,
        error: /^Version ".*" not found/,
      }),
    ]),
    itemCase({
      name: "a deleted version",
      given: async () => {
        const { code } = await act.publish(owner.token);
        await act.deleteCode(owner.token, code);
        return { code };
      },
      request: byCode,
      status: 404,
      error: /^Version ".*" not found/,
    }),
    itemCase({
      name: "a name that could never exist",
      given: () => ({ name: "No Such Näme/.." }),
      request: byName,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    itemCase({
      name: "neither name nor code",
      given: () => undefined,
      request: () => ({ token: owner.token }),
      status: 400,
      error: "either name or code",
    }),
    itemCase({
      name: "name and code",
      given: () => group(),
      request: ({ name, codes }) => ({ token: owner.token, query: { name, code: codes[0] ?? "" } }),
      status: 400,
      error: "either name or code",
    }),
    ...casesOfCredentials<typeof itemRoute>({ service: () => service, owner: () => owner, group: () => group() }),
  ]);
});
