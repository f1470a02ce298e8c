import { beforeAll, describe, expect, test } from "bun:test";
import { uploadRoute } from "../../../../src/contract/publishing/publish.ts";
import { setLatestRoute } from "../../../../src/contract/reports/named-reports.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { buildUpload, uniqueName, useTwoServices } from "../../../support/service.ts";
import { actionsOf, settle } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const RACERS = 20;
const uploadCase = casesOf<typeof uploadRoute>();
const setLatestCase = casesOf<typeof setLatestRoute>();

describeOneEngine("the code at which a change expects its group", (engine) => {
  const servers = useTwoServices(engine);
  const act = actionsOf(servers.first);
  let token: string;

  beforeAll(async () => {
    token = (await servers.first.build.user()).token;
  });

  async function group(count = 2) {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, count);
    return { name, first: codes[0] ?? "", last: codes.at(-1) ?? "" };
  }

  const versionsOf = async (name: string) => (await act.group(token, name)).versions.map(({ code }) => code);

  /** Refused, and the group has the versions that it had. */
  const refused = (name: string, error: RegExp, expected: (given: { first: string; last: string }) => string | null) =>
    uploadCase({
      name,
      given: group,
      request: (given) => ({
        token,
        body: buildUpload({ name: given.name, expected_current_code: expected(given) }),
      }),
      status: 409,
      error,
      after: async (given) => expect(await versionsOf(given.name)).toEqual([given.last, given.first]),
    });

  testCases(() => servers.first, uploadRoute, [
    uploadCase({
      name: "the current code",
      given: group,
      request: ({ name, last }) => ({ token, body: buildUpload({ name, expected_current_code: last }) }),
      status: 200,
      after: async ({ name, last, first }) => expect(await versionsOf(name)).toEqual([expect.any(String), last, first]),
    }),
    uploadCase({
      name: "the code that setlatest made current",
      given: async () => {
        const made = await group();
        await act.setLatest(token, made.name, made.first);
        return made;
      },
      request: ({ name, first }) => ({ token, body: buildUpload({ name, expected_current_code: first }) }),
      status: 200,
    }),
    uploadCase({
      name: "null for a new group",
      given: () => ({ name: uniqueName() }),
      request: ({ name }) => ({ token, body: buildUpload({ name, expected_current_code: null }) }),
      status: 200,
      check: async ({ code }, { name }) => expect(await versionsOf(name)).toEqual([code]),
    }),
    refused("an earlier code", /has changed: its current code is [0-9A-Za-z]{16}\./, ({ first }) => first),
    refused("no code at all", /current code is [0-9A-Za-z]{16}\./, () => ""),
    refused("null for a group that there is", /already exists\. Its current code is [0-9A-Za-z]{16}\.$/, () => null),
    uploadCase({
      name: "a code for a group that there is not",
      given: () => ({ name: uniqueName() }),
      request: ({ name }) => ({ token, body: buildUpload({ name, expected_current_code: "7Kd0aQ2mXw9LbT4e" }) }),
      status: 409,
      error: /^Report ".*" doesn't exist/,
      after: async ({ name }) => expect((await act.list(token)).groups.map((one) => one.name)).not.toContain(name),
    }),
    uploadCase({
      name: "another account's group, with its true code",
      given: async () => ({ ...(await group()), stranger: await servers.first.build.user() }),
      request: ({ name, last, stranger }) => ({
        token: stranger.token,
        body: buildUpload({ name, expected_current_code: last }),
      }),
      status: 409,
      error: /^The name "[^"]+" is taken\. Choose another name\.$/,
      after: async ({ name, first, last }) => expect(await versionsOf(name)).toEqual([last, first]),
    }),
    uploadCase({
      name: "another account's group, expected not to be there",
      given: async () => ({ ...(await group()), stranger: await servers.first.build.user() }),
      request: ({ name, stranger }) => ({
        token: stranger.token,
        body: buildUpload({ name, expected_current_code: null }),
      }),
      status: 409,
      error: /^The name "[^"]+" is taken\. Choose another name\.$/,
    }),
    uploadCase({
      name: "a private group of a colleague's",
      given: async () => {
        const { owner, members } = await servers.first.build.organization({ roles: ["member"] });
        const name = uniqueName();
        const { code } = await act.publish(owner.token, { name });
        return { name, code, member: members[0]?.token };
      },
      request: ({ name, code, member }) => ({
        token: member,
        body: buildUpload({ name, expected_current_code: code }),
      }),
      status: 409,
      error: /^The name "[^"]+" is taken\. Choose another name\.$/,
    }),
    uploadCase({
      name: "an expectation without a name",
      given: () => undefined,
      request: () => ({ token, body: buildUpload({ expected_current_code: null }) }),
      status: 400,
      error: "name is required if expected_current_code is set",
    }),
    uploadCase({
      name: "an expectation that is a number",
      given: () => undefined,
      request: () => ({ token, body: { ...buildUpload({ name: uniqueName() }), expected_current_code: 1 } }),
      status: 400,
      error: "expected_current_code must be a string",
    }),
  ]);

  testCases(() => servers.first, setLatestRoute, [
    setLatestCase({
      name: "the current code",
      given: group,
      request: ({ name, first, last }) => ({ token, body: { name, code: first, expected_current_code: last } }),
      status: 200,
      after: async ({ name, first }) => expect((await act.group(token, name)).current_code).toBe(first),
    }),
    ...([null, "", "7Kd0aQ2mXw9LbT4e"] as const).map((expected) =>
      setLatestCase({
        name: `${JSON.stringify(expected)} instead of the current code`,
        given: group,
        request: ({ name, first }) => ({ token, body: { name, code: first, expected_current_code: expected } }),
        status: 409,
        error: /current code is [0-9A-Za-z]{16}\./,
        after: async ({ name, last }) => expect((await act.group(token, name)).current_code).toBe(last),
      }),
    ),
  ]);

  describe("at once, of two servers", () => {
    const race = (name: string, expected: string | null) =>
      settle(
        Array.from({ length: RACERS }, (_, n) =>
          actionsOf(servers.at(n)).publish(token, { name, expected_current_code: expected }),
        ),
      );

    test(`of ${RACERS} uploads that expect no group, one makes it`, async () => {
      const name = uniqueName();
      const { answers, refusals } = await race(name, null);
      expect(refusals).toEqual(Array.from({ length: RACERS - 1 }, () => 409));
      expect(await versionsOf(name)).toEqual(answers.map(({ code }) => code));
    });

    test(`of ${RACERS} uploads that expect the same code, one adds a version`, async () => {
      const { name, first, last } = await group();
      const { answers, refusals } = await race(name, last);
      expect(refusals).toEqual(Array.from({ length: RACERS - 1 }, () => 409));
      expect(await versionsOf(name)).toEqual([...answers.map(({ code }) => code), last, first]);
    });

    test("of setlatest and uploads that expect the same code, one is done", async () => {
      const { name, first, last } = await group();
      const { answers, refusals } = await settle<unknown>(
        Array.from({ length: RACERS }, (_, n) =>
          n % 2 === 0
            ? actionsOf(servers.at(n >> 1)).publish(token, { name, expected_current_code: last })
            : servers
                .at(n >> 1)
                .client(token)
                .call(setLatestRoute, { body: { name, code: first, expected_current_code: last } }),
        ),
      );
      expect({ answers: answers.length, refusals }).toEqual({
        answers: 1,
        refusals: Array.from({ length: RACERS - 1 }, () => 409),
      });
    });
  });
});
