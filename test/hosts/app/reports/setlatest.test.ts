import { beforeAll, expect } from "bun:test";
import { setLatestRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const setLatestCase = casesOf<typeof setLatestRoute>();

describeOneEngine("setlatest", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function group(count = 3) {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, count);
    return { name, codes, first: codes[0] ?? "", last: codes.at(-1) ?? "" };
  }

  /** Refused, and the group still points at its newest version. */
  const refused = (
    name: string,
    status: number,
    error: string,
    codeOf: (given: Awaited<ReturnType<typeof group>>) => string | Promise<string>,
  ) =>
    setLatestCase({
      name,
      given: async () => {
        const made = await group();
        return { ...made, code: await codeOf(made) };
      },
      request: (given) => ({ token, body: { name: given.name, code: given.code } }),
      status,
      error,
      after: async (given) => expect((await act.group(token, given.name)).current_code).toBe(given.last),
    });

  testCases(() => service, setLatestRoute, [
    setLatestCase({
      name: "an earlier version",
      given: group,
      request: ({ name, first }) => ({ token, body: { name, code: first } }),
      status: 200,
      check: (answer, { name, first }) => expect(answer).toEqual({ ok: true, name, current_code: first }),
      after: async ({ name, first, codes }) => {
        const { current_code, versions } = await act.group(token, name);
        expect(current_code).toBe(first);
        expect(versions.map(({ code, version_no }) => [code, version_no])).toEqual(
          codes.map((code, index): (string | number)[] => [code, index + 1]).toReversed(),
        );
      },
    }),
    setLatestCase({
      name: "the version that is current already",
      given: group,
      request: ({ name, last }) => ({ token, body: { name, code: last } }),
      status: 200,
      after: async ({ name, last }) => expect((await act.group(token, name)).current_code).toBe(last),
    }),
    setLatestCase({
      name: "the next upload points the group at itself",
      given: group,
      request: ({ name, first }) => ({ token, body: { name, code: first } }),
      status: 200,
      after: async ({ name }) => {
        const { code } = await act.publish(token, { name });
        const { current_code, versions } = await act.group(token, name);
        expect(current_code).toBe(code);
        expect(versions[0]).toMatchObject({ code, version_no: 4 });
      },
    }),
    refused("a code of another group", 400, "isn't a version of report", async () => (await group()).first),
    refused(
      "a standalone report's code",
      400,
      "isn't a version of report",
      async () => (await act.publish(token)).code,
    ),
    refused("a code of another account's", 400, "isn't a version of report", async () => {
      const stranger = await service.build.user();
      return (await act.publish(stranger.token, { visibility: "public" })).code;
    }),
    refused("an unknown code", 400, "isn't a version of report", () => "7Kd0aQ2mXw9LbT4e"),
    refused("what is no code at all", 400, "isn't a version of report", () => "latest"),
    refused("a code that was deleted from the group", 400, "isn't a version of report", async ({ first }) => {
      await act.deleteCode(token, first);
      return first;
    }),
    setLatestCase({
      name: "an unknown group",
      given: group,
      request: ({ first }) => ({ token, body: { name: uniqueName(), code: first } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    setLatestCase({
      name: "another account's group, however public",
      given: async () => {
        const made = await group();
        await act.setVisibility(token, { name: made.name, visibility: "public" });
        return { ...made, stranger: await service.build.user() };
      },
      request: ({ name, first, stranger }) => ({ token: stranger.token, body: { name, code: first } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name, last }) => expect((await act.group(token, name)).current_code).toBe(last),
    }),
    setLatestCase({
      name: "without a code",
      given: group,
      request: ({ name }) => ({ token, body: { name } }),
      status: 400,
      error: "code is required",
    }),
    setLatestCase({
      name: "without a name",
      given: group,
      request: ({ first }) => ({ token, body: { code: first } }),
      status: 400,
      error: "name is required",
    }),
    setLatestCase({
      name: "a list instead of an object",
      given: group,
      request: ({ name, first }) => ({ token, body: [{ name, code: first }] }),
      status: 400,
      error: "JSON object",
    }),
  ]);
});
