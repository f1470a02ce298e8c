import { beforeAll, expect } from "bun:test";
import { setVisibilityRoute } from "../../../../src/contract/reports/visibility.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

type Settable = "public" | "private";
type Visibility = Settable | "org";
const visibilityCase = casesOf<typeof setVisibilityRoute>();

describeOneEngine("set-visibility", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  async function group(visibility: Visibility, count = 2) {
    const name = uniqueName();
    const codes = await act.publishVersions(token, name, count, { visibility });
    return { name, codes, first: codes[0] ?? "", last: codes.at(-1) ?? "" };
  }

  const servedToAnyone = async (code: string) => (await act.read(undefined, code)).status === 200;
  const visibilitiesOf = async (name: string) => {
    const { visibility, versions } = await act.group(token, name);
    return [visibility, ...versions.map((version) => version.visibility)];
  };
  const standaloneOf = async (code: string) => (await act.list(token)).standalone.find((entry) => entry.code === code);

  /** By name: the report, the list, every version and the content host follow. */
  const byName = (from: Visibility, to: Settable) =>
    visibilityCase({
      name: `a named report, from ${from} to ${to}`,
      given: () => group(from),
      request: ({ name }) => ({ token, body: { name, visibility: to } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, visibility: to }),
      after: async ({ name, codes }) => {
        expect(await visibilitiesOf(name)).toEqual([to, to, to]);
        expect((await act.list(token)).groups).toContainEqual(expect.objectContaining({ name, visibility: to }));
        for (const code of codes) expect(await servedToAnyone(code)).toBe(to === "public");
      },
    });

  const byCode = (from: Visibility, to: Settable) =>
    visibilityCase({
      name: `an unnamed report, from ${from} to ${to}`,
      given: () => act.publish(token, { visibility: from }),
      request: ({ code }) => ({ token, body: { code, visibility: to } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, visibility: to }),
      after: async ({ code }) => {
        expect(await standaloneOf(code)).toMatchObject({ visibility: to });
        expect(await servedToAnyone(code)).toBe(to === "public");
      },
    });

  const refused = (name: string, error: string | RegExp, body: (given: { name: string; first: string }) => object) =>
    visibilityCase({
      name,
      given: () => group("private"),
      request: (given) => ({ token, body: body(given) }),
      status: 400,
      error,
      after: async (given) => expect(await visibilitiesOf(given.name)).toEqual(["private", "private", "private"]),
    });

  testCases(() => service, setVisibilityRoute, [
    byName("private", "public"),
    byName("public", "private"),
    byName("org", "public"),
    byName("org", "private"),
    byName("public", "public"),
    byCode("private", "public"),
    byCode("public", "private"),
    byCode("org", "public"),
    byCode("public", "public"),
    visibilityCase({
      name: "one version of a private report is shared, and no other",
      given: () => group("private", 3),
      request: ({ first }) => ({ token, body: { code: first, visibility: "public" } }),
      status: 200,
      after: async ({ name, first, codes }) => {
        expect(await visibilitiesOf(name)).toEqual(["private", "private", "private", "public"]);
        for (const code of codes) expect(await servedToAnyone(code)).toBe(code === first);
      },
    }),
    visibilityCase({
      name: "one version of a public report is withdrawn, and no other",
      given: () => group("public", 3),
      request: ({ last }) => ({ token, body: { code: last, visibility: "private" } }),
      status: 200,
      after: async ({ name, last, codes }) => {
        expect(await visibilitiesOf(name)).toEqual(["public", "private", "public", "public"]);
        for (const code of codes) expect(await servedToAnyone(code)).toBe(code !== last);
      },
    }),
    visibilityCase({
      name: "a report with one different version, as a whole",
      given: async () => {
        const made = await group("public", 3);
        await act.setVisibility(token, { code: made.first, visibility: "private" });
        return made;
      },
      request: ({ name }) => ({ token, body: { name, visibility: "public" } }),
      status: 200,
      after: async ({ name }) => expect(await visibilitiesOf(name)).toEqual(["public", "public", "public", "public"]),
    }),
    visibilityCase({
      name: "the next version gets the report's current visibility",
      given: () => group("private", 1),
      request: ({ name }) => ({ token, body: { name, visibility: "public" } }),
      status: 200,
      after: async ({ name }) => {
        const { visibility, code, url, warnings } = await act.publish(token, { name });
        expect({ visibility, url, warnings }).toEqual({
          visibility: "public",
          url: `${service.contentUrl}/${code}/`,
          warnings: [],
        });
      },
    }),
    visibilityCase({
      name: "after one version was withdrawn, the next one still gets the report's visibility",
      given: () => group("public", 1),
      request: ({ first }) => ({ token, body: { code: first, visibility: "private" } }),
      status: 200,
      after: async ({ name }) => {
        expect(await act.publish(token, { name })).toMatchObject({ visibility: "public" });
      },
    }),
    refused("org, for a group", 'visibility must be public or private, not "org"', ({ name }) => ({
      name,
      visibility: "org",
    })),
    refused("org, for one version", /^visibility must be public or private, not "/, ({ first }) => ({
      code: first,
      visibility: "org",
    })),
    refused("an unknown visibility", /^visibility must be public or private, not "/, ({ name }) => ({
      name,
      visibility: "secret",
    })),
    refused("a visibility in capitals", /^visibility must be public or private, not "/, ({ name }) => ({
      name,
      visibility: "PUBLIC",
    })),
    refused("a visibility that is not text", "visibility must be", ({ name }) => ({ name, visibility: true })),
    refused("no visibility", /^visibility (is required|must be)/, ({ name }) => ({ name })),
    refused("both name and code", "either name or code", ({ name, first }) => ({
      name,
      code: first,
      visibility: "public",
    })),
    refused("neither name nor code", "either name or code", () => ({ visibility: "public" })),
    refused("a name that is null", "name must be a string", () => ({ name: null, visibility: "public" })),
    visibilityCase({
      name: "an unknown name",
      given: uniqueName,
      request: (name) => ({ token, body: { name, visibility: "public" } }),
      status: 404,
      error: /^Report ".*" not found/,
    }),
    visibilityCase({
      name: "an unknown code",
      given: () => undefined,
      request: () => ({ token, body: { code: "7Kd0aQ2mXw9LbT4e", visibility: "public" } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    visibilityCase({
      name: "a deleted code",
      given: async () => {
        const { code } = await act.publish(token);
        await act.deleteCode(token, code);
        return { code };
      },
      request: ({ code }) => ({ token, body: { code, visibility: "public" } }),
      status: 404,
      error: /^Version ".*" not found/,
      after: async ({ code }) => expect(await servedToAnyone(code)).toBe(false),
    }),
    visibilityCase({
      name: "a name given as a code",
      given: () => group("private"),
      request: ({ name }) => ({ token, body: { code: name, visibility: "public" } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    visibilityCase({
      name: "another user's public report, by name",
      given: async () => ({ ...(await group("public")), stranger: await service.build.user() }),
      request: ({ name, stranger }) => ({ token: stranger.token, body: { name, visibility: "private" } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name }) => expect(await visibilitiesOf(name)).toEqual(["public", "public", "public"]),
    }),
    visibilityCase({
      name: "another user's public report, by code",
      given: async () => ({
        ...(await act.publish(token, { visibility: "public" })),
        stranger: await service.build.user(),
      }),
      request: ({ code, stranger }) => ({ token: stranger.token, body: { code, visibility: "private" } }),
      status: 404,
      error: /^Version ".*" not found/,
      after: async ({ code }) => expect(await servedToAnyone(code)).toBe(true),
    }),
  ]);
});
