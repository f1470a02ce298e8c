import { beforeAll, expect } from "bun:test";
import { shareWithOrganizationRoute } from "../../../../src/contract/sharing/organization.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const shareCase = casesOf<typeof shareWithOrganizationRoute>();

describeOneEngine("share/org", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: string;
  let member: string;
  let stranger: string;

  beforeAll(async () => {
    const organization = await service.build.organization({ roles: ["member"] });
    owner = organization.owner.token;
    member = organization.members[0]?.token ?? "";
    stranger = (await service.build.user()).token;
  });

  const publish = async (visibility: "private" | "org" | "public") => {
    const name = uniqueName();
    const [code = ""] = await act.publishVersions(owner, name, 1, { visibility });
    return { name, code };
  };
  const statusFor = async (token: string, code: string) => (await act.read(token, code)).status;

  testCases(() => service, shareWithOrganizationRoute, [
    ...(["private", "public"] as const).map((from) =>
      shareCase({
        name: `a ${from} report is shared with the members only`,
        given: () => publish(from),
        request: ({ name }) => ({ token: owner, body: { name, shared: true } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true, visibility: "org", org: null }),
        after: async ({ name, code }) => {
          expect((await act.group(owner, name)).visibility).toBe("org");
          expect(await statusFor(member, code)).toBe(200);
          expect(await statusFor(stranger, code)).toBe(404);
        },
      }),
    ),
    shareCase({
      name: "a shared report becomes private",
      given: () => publish("org"),
      request: ({ code }) => ({ token: owner, body: { code, shared: false } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, visibility: "private", org: null }),
      after: async ({ code }) => expect(await statusFor(member, code)).toBe(404),
    }),
    shareCase({
      name: "neither name nor code",
      given: () => undefined,
      request: () => ({ token: owner, body: { shared: true } }),
      status: 400,
      error: "either name or code",
    }),
    shareCase({
      name: "a text instead of true or false",
      given: () => publish("private"),
      request: ({ name }) => ({ token: owner, body: { name, shared: "yes" } }),
      status: 400,
      error: "shared must be",
    }),
    shareCase({
      name: "another user's public report",
      given: () => publish("public"),
      request: ({ name }) => ({ token: stranger, body: { name, shared: true } }),
      status: 404,
      error: /^Report ".*" not found/,
      after: async ({ name }) => expect((await act.group(owner, name)).visibility).toBe("public"),
    }),
  ]);
});
