import { beforeAll, expect } from "bun:test";
import { deleteCodeRoute } from "../../../../src/contract/reports/delete-code.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf, statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const deleteCase = casesOf<typeof deleteCodeRoute>();

describeOneEngine("delete-code", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: { slug: string; token: string };
  let token: string;

  beforeAll(async () => {
    owner = await service.build.user();
    token = owner.token;
  });

  async function group(count: number) {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, count, { visibility: "public" });
    return { name, codes, first: codes[0] ?? "", last: codes.at(-1) ?? "" };
  }
  const deleteIt = (code: string) => ({ token, body: { code } });

  /** Expects that a deleted code is not served anywhere, to anyone. */
  async function expectGone(code: string): Promise<void> {
    expect((await act.read(undefined, code)).status).toBe(404);
    expect((await act.read(token, code)).status).toBe(404);
    // As for any code, whether or not such a report exists.
    expect((await act.open(`/${code}/`)).status).toBe(401);
    expect(await statusOf(act.setVisibility(token, { code, visibility: "public" }))).toBe(404);
    expect(await statusOf(act.setFolder(token, { code, folder: "A" }))).toBe(404);
    expect(await act.deleteCode(token, code)).toEqual({ ok: true, deleted: false });
    const { groups, standalone } = await act.list(token);
    expect([...groups.map((entry) => entry.current_code), ...standalone.map((entry) => entry.code)]).not.toContain(
      code,
    );
  }

  const notDeleted = (name: string, code: () => string | Promise<string>, after?: (code: string) => Promise<void>) =>
    deleteCase({
      name,
      given: code,
      request: deleteIt,
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: false }),
      ...(after === undefined ? {} : { after }),
    });

  testCases(() => service, deleteCodeRoute, [
    deleteCase({
      name: "an unnamed report",
      given: async () => (await act.publish(token, { visibility: "public" })).code,
      request: deleteIt,
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: true }),
      after: expectGone,
    }),
    deleteCase({
      name: "a private one that was just read back",
      given: async () => {
        const { code } = await act.publish(token);
        expect((await act.read(token, code)).status).toBe(200);
        return code;
      },
      request: deleteIt,
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: true }),
      after: expectGone,
    }),
    deleteCase({
      name: "the current version: the highest remaining one becomes current",
      given: () => group(3),
      request: ({ last }) => deleteIt(last),
      status: 200,
      after: async ({ name, codes, last }) => {
        const { current_code, versions } = await act.group(token, name);
        expect(current_code).toBe(codes[1] ?? "");
        expect(versions.map(({ version_no }) => version_no)).toEqual([2, 1]);
        await expectGone(last);
      },
    }),
    deleteCase({
      name: "the current version after setlatest: the highest one becomes current, not the previous one",
      given: async () => {
        const made = await group(3);
        await act.setLatest(token, made.name, made.codes[1] ?? "");
        return made;
      },
      request: ({ codes }) => deleteIt(codes[1] ?? ""),
      status: 200,
      after: async ({ name, last }) => expect((await act.group(token, name)).current_code).toBe(last),
    }),
    deleteCase({
      name: "an earlier version: the current one stays",
      given: () => group(3),
      request: ({ first }) => deleteIt(first),
      status: 200,
      after: async ({ name, first, last }) => {
        const { current_code, versions } = await act.group(token, name);
        expect(current_code).toBe(last);
        expect(versions.map(({ version_no }) => version_no)).toEqual([3, 2]);
        expect((await act.list(token)).groups).toContainEqual(expect.objectContaining({ name, version_count: 2 }));
        await expectGone(first);
      },
    }),
    deleteCase({
      name: "a version other than the one chosen with setlatest: the chosen one stays current",
      given: async () => {
        const made = await group(3);
        await act.setLatest(token, made.name, made.first);
        return made;
      },
      request: ({ last }) => deleteIt(last),
      status: 200,
      after: async ({ name, first }) => expect((await act.group(token, name)).current_code).toBe(first),
    }),
    deleteCase({
      name: "the highest version: its number is not used again",
      given: () => group(2),
      request: ({ last }) => deleteIt(last),
      status: 200,
      after: async ({ name }) => {
        await act.publish(token, { name });
        expect((await act.group(token, name)).versions.map(({ version_no }) => version_no)).toEqual([3, 1]);
      },
    }),
    deleteCase({
      name: "the last version: the report is deleted with it, and its name is available to anyone",
      given: async () => ({ ...(await group(1)), stranger: await service.build.user() }),
      request: ({ first }) => deleteIt(first),
      status: 200,
      after: async ({ name, first, stranger }) => {
        expect(await statusOf(act.group(token, name))).toBe(404);
        const { code } = await act.publish(stranger.token, { name });
        expect((await act.group(stranger.token, name)).versions).toMatchObject([{ code, version_no: 1 }]);
        await expectGone(first);
      },
    }),
    notDeleted(
      "an already deleted code",
      async () => {
        const { code } = await act.publish(token);
        await act.deleteCode(token, code);
        return code;
      },
      expectGone,
    ),
    notDeleted("an unknown code", () => "7Kd0aQ2mXw9LbT4e"),
    notDeleted("what is no code", () => "../../etc"),
    notDeleted("no text at all", () => ""),
    notDeleted(
      "a report's name",
      async () => (await group(1)).name,
      async (name) => expect((await act.group(token, name)).versions).toHaveLength(1),
    ),
    notDeleted(
      "another user's public code",
      async () => (await act.publish((await service.build.user()).token, { visibility: "public" })).code,
      async (code) => expect((await act.read(undefined, code)).status).toBe(200),
    ),
    deleteCase({
      name: "without a code",
      given: () => undefined,
      request: () => ({ token, body: {} }),
      status: 400,
      error: "code is required",
    }),
    deleteCase({
      name: "an array of codes",
      given: () => group(1),
      request: ({ codes }) => ({ token, body: { code: codes } }),
      status: 400,
      error: "code must be a string",
      after: async ({ name }) => expect((await act.group(token, name)).versions).toHaveLength(1),
    }),
    deleteCase({
      name: "with a write-only token",
      given: async () => ({
        ...(await act.publish(token, { visibility: "public" })),
        writer: await service.build.token({ userSlug: owner.slug, scopes: ["reports:write"] }),
      }),
      request: ({ code, writer }) => ({ token: writer, body: { code } }),
      status: 403,
      error: "doesn't have the scope reports:delete",
      after: async ({ code }) => expect((await act.read(undefined, code)).status).toBe(200),
    }),
  ]);
});
