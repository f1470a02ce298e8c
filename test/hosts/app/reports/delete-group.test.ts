import { beforeAll, expect } from "bun:test";
import { deleteGroupRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const deleteCase = casesOf<typeof deleteGroupRoute>();

describeOneEngine("delete-group", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: { slug: string; token: string };

  beforeAll(async () => {
    owner = await service.build.user();
  });

  async function group(count = 1) {
    const name = uniqueName();
    return { name, codes: await act.publishVersions(owner.token, name, count, { visibility: "public" }) };
  }
  const deleteIt = ({ name }: { name: string }) => ({ token: owner.token, body: { name } });
  const expectThere = async ({ name }: { name: string }) => {
    expect(await statusOf(act.group(owner.token, name))).toBe(200);
  };

  testCases(() => service, deleteGroupRoute, [
    deleteCase({
      name: "a group with all its versions",
      given: () => group(3),
      request: deleteIt,
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: 3 }),
      after: async ({ name, codes }) => {
        expect(await statusOf(act.group(owner.token, name))).toBe(404);
        expect(await statusOf(act.deleteGroup(owner.token, name))).toBe(404);
        expect((await act.list(owner.token)).groups.map((entry) => entry.name)).not.toContain(name);
        for (const code of codes) {
          expect((await act.read(undefined, code)).status).toBe(404);
          expect((await act.read(owner.token, code)).status).toBe(404);
          expect(await act.deleteCode(owner.token, code)).toEqual({ ok: true, deleted: false });
        }
      },
    }),
    deleteCase({
      name: "after deletions, only what is left counts",
      given: async () => {
        const made = await group(3);
        await act.deleteCode(owner.token, made.codes[1] ?? "");
        return made;
      },
      request: deleteIt,
      status: 200,
      check: (answer) => expect(answer.deleted).toBe(2),
    }),
    deleteCase({
      name: "the name is free for anybody, and begins at version 1",
      given: async () => ({ ...(await group(2)), stranger: await service.build.user() }),
      request: deleteIt,
      status: 200,
      after: async ({ name, stranger }) => {
        const { code } = await act.publish(stranger.token, { name });
        expect((await act.group(stranger.token, name)).versions).toMatchObject([{ code, version_no: 1 }]);
      },
    }),
    deleteCase({
      name: "the folder it was in stays for others",
      given: async () => {
        const [name, other] = [uniqueName(), uniqueName()];
        await act.publish(owner.token, { name, folder: "Drawer/Folder" });
        await act.publish(owner.token, { name: other, folder: "Drawer/Folder" });
        return { name, other, before: await act.group(owner.token, other) };
      },
      request: deleteIt,
      status: 200,
      after: async ({ other, before }) => expect(await act.group(owner.token, other)).toEqual(before),
    }),
    deleteCase({
      name: "with a token that may only delete",
      given: async () => ({
        ...(await group()),
        deleter: await service.build.token({ userSlug: owner.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ name, deleter }) => ({ token: deleter, body: { name } }),
      status: 200,
    }),
    deleteCase({
      name: "with a token that may only write",
      given: async () => ({
        ...(await group()),
        writer: await service.build.token({ userSlug: owner.slug, scopes: ["reports:write"] }),
      }),
      request: ({ name, writer }) => ({ token: writer, body: { name } }),
      status: 403,
      error: "doesn't have the scope reports:delete",
      after: expectThere,
    }),
    deleteCase({
      name: "an unknown group",
      given: () => ({ name: uniqueName() }),
      request: deleteIt,
      status: 404,
      error: /^Report ".*" not found/,
    }),
    deleteCase({
      name: "another account's group, however public",
      given: async () => ({ ...(await group()), stranger: await service.build.user() }),
      request: ({ name, stranger }) => ({ token: stranger.token, body: { name } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: expectThere,
    }),
    deleteCase({
      name: "a standalone report's code",
      given: async () => ({ name: (await act.publish(owner.token, { visibility: "public" })).code }),
      request: deleteIt,
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name }) => expect((await act.read(undefined, name)).status).toBe(200),
    }),
    deleteCase({
      name: "without a name",
      given: () => group(),
      request: () => ({ token: owner.token, body: {} }),
      status: 400,
      error: "name is required",
      after: expectThere,
    }),
    deleteCase({
      name: "a name in a list",
      given: () => group(),
      request: ({ name }) => ({ token: owner.token, body: { name: [name] } }),
      status: 400,
      error: "name must be a string",
      after: expectThere,
    }),
    deleteCase({
      name: "an empty body",
      given: () => group(),
      request: () => ({ token: owner.token, body: "" }),
      status: 400,
      error: "isn't valid JSON",
      after: expectThere,
    }),
  ]);
});
