import { beforeAll, expect } from "bun:test";
import { renameRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const renameCase = casesOf<typeof renameRoute>();

describeOneEngine("rename", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function group(count = 1) {
    const name = uniqueName();
    return { name, newName: uniqueName(), codes: await act.publishVersions(token, name, count) };
  }
  const request = ({ name, newName }: { name: string; newName: string }) => ({ token, body: { name, newName } });

  const accepted = (name: string, newName: (old: string) => string) =>
    renameCase({
      name,
      given: async () => {
        const made = await group();
        return { ...made, newName: newName(made.name) };
      },
      request,
      status: 200,
      check: (answer, given) => expect(answer).toEqual({ ok: true, name: given.newName }),
      after: async (given) => expect((await act.group(token, given.newName)).current_code).toBe(given.codes[0] ?? ""),
    });
  const refusedName = (name: string, newName: string) =>
    renameCase({
      name,
      given: async () => ({ ...(await group()), newName }),
      request,
      status: 400,
      error: 'newName "',
      after: async (given) => expect(await act.group(token, given.name)).toMatchObject({ name: given.name }),
    });

  testCases(() => service, renameRoute, [
    renameCase({
      name: "to a free name",
      given: () => group(2),
      request,
      status: 200,
      check: (answer, { newName }) => expect(answer).toEqual({ ok: true, name: newName }),
      after: async ({ name, newName, codes }) => {
        const renamed = await act.group(token, newName);
        expect(renamed.versions.map(({ code }) => code)).toEqual(codes.toReversed());
        expect(await statusOf(act.group(token, name))).toBe(404);
        const { groups } = await act.list(token);
        expect(groups.filter((entry) => entry.name === newName)).toHaveLength(1);
        expect(groups.filter((entry) => entry.name === name)).toEqual([]);
      },
    }),
    renameCase({
      name: "the pinned links stay, and numbering goes on",
      given: async () => {
        const made = await group();
        await act.setVisibility(token, { name: made.name, visibility: "public" });
        return made;
      },
      request,
      status: 200,
      after: async ({ newName, codes: [code = ""] }) => {
        expect((await act.read(undefined, code)).status).toBe(200);
        await act.publish(token, { name: newName });
        expect((await act.group(token, newName)).versions.map(({ version_no }) => version_no)).toEqual([2, 1]);
      },
    }),
    renameCase({
      name: "the old name is free for anybody",
      given: group,
      request,
      status: 200,
      after: async ({ name, newName, codes }) => {
        const stranger = await service.build.user();
        const { code } = await act.publish(stranger.token, { name });
        expect((await act.group(stranger.token, name)).versions).toMatchObject([{ code, version_no: 1 }]);
        expect((await act.group(token, newName)).current_code).toBe(codes[0] ?? "");
      },
    }),
    accepted("to its own name", (name) => name),
    accepted("to a name of one character less", (name) => name.slice(0, -1)),
    accepted("to a name of 63 characters", (name) => name.padEnd(63, "x")),
    accepted("to a name that begins with a digit", (name) => `0${name}`),
    accepted("to a name that looks like a path of the API", (name) => `api-list-${name}`),
    renameCase({
      name: "the default place in a folder is kept",
      given: async () => {
        const name = uniqueName();
        await act.publish(token, { name, folder: "Kept/Here" });
        return { name, newName: uniqueName(), before: await act.group(token, name) };
      },
      request,
      status: 200,
      after: async ({ newName, before }) => {
        expect(await act.group(token, newName)).toEqual({ ...before, name: newName });
      },
    }),
    renameCase({
      name: "to the name of another group of one's own",
      given: async () => ({ ...(await group()), newName: (await group()).name }),
      request,
      status: 409,
      error: /^The name ".+" is taken\. Choose another name\.$/,
      after: async ({ name, newName, codes }) => {
        expect((await act.group(token, name)).current_code).toBe(codes[0] ?? "");
        expect((await act.group(token, newName)).current_code).not.toBe(codes[0] ?? "");
      },
    }),
    renameCase({
      name: "to a name of another account",
      given: async () => {
        const stranger = await service.build.user();
        const newName = uniqueName();
        await act.publish(stranger.token, { name: newName });
        return { ...(await group()), newName };
      },
      request,
      status: 409,
      error: "is taken",
      after: async ({ name }) => expect(await statusOf(act.group(token, name))).toBe(200),
    }),
    renameCase({
      name: "an unknown group",
      given: () => ({ name: uniqueName(), newName: uniqueName() }),
      request,
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ newName }) => expect(await statusOf(act.group(token, newName))).toBe(404),
    }),
    renameCase({
      name: "another account's group, however public",
      given: async () => {
        const made = await group();
        await act.setVisibility(token, { name: made.name, visibility: "public" });
        return { ...made, stranger: await service.build.user() };
      },
      request: ({ name, newName, stranger }) => ({ token: stranger.token, body: { name, newName } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name }) => expect(await statusOf(act.group(token, name))).toBe(200),
    }),
    refusedName("to capitals", "Sales"),
    refusedName("to nothing", ""),
    refusedName("to 64 characters", "a".repeat(64)),
    refusedName("to a leading hyphen", "-sales"),
    refusedName("to a path", "a/b"),
    refusedName("to a name with a line break at its end", "sales\n"),
    refusedName("to what could be a code", "7Kd0aQ2mXw9LbT4e"),
    renameCase({
      name: "without a new name",
      given: group,
      request: ({ name }) => ({ token, body: { name } }),
      status: 400,
      error: "newName is required",
    }),
    renameCase({
      name: "without a name",
      given: group,
      request: ({ newName }) => ({ token, body: { newName } }),
      status: 400,
      error: "name is required",
    }),
    renameCase({
      name: "a name that is no text",
      given: group,
      request: ({ newName }) => ({ token, body: { name: 7, newName } }),
      status: 400,
      error: "name must be a string",
    }),
    renameCase({
      name: "invalid JSON",
      given: group,
      request: () => ({ token, body: "{" }),
      status: 400,
      error: "isn't valid JSON",
    }),
  ]);
});
