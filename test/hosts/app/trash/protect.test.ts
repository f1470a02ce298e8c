import { beforeAll, expect } from "bun:test";
import { protectRoute } from "../../../../src/contract/trash/trash.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { type TrashActions, trashActionsOf } from "./trash-actions.ts";

const protectCase = casesOf<typeof protectRoute>();

describeOneEngine("protection", (engine) => {
  const service = useService({ engine });
  let act: TrashActions;
  let token: string;

  beforeAll(async () => {
    act = trashActionsOf(service);
    ({ token } = await service.build.user());
  });

  async function published() {
    const name = uniqueName();
    const [first = "", second = ""] = await act.publishVersions(token, name, 2);
    return { name, first, second };
  }
  const itemOf = async (name: string) => {
    const response = await fetch(`${service.baseUrl}/api/item?name=${name}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return response.json();
  };

  testCases(() => service, protectRoute, [
    protectCase({
      name: "a report with all its versions",
      given: published,
      request: ({ name }) => ({ token, body: { name, protected: true } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, protected: true }),
      after: async ({ name, first }) => {
        expect(await itemOf(name)).toMatchObject({ protected: true });
        expect(await statusOf(act.deleteGroup(token, name))).toBe(409);
        expect(await statusOf(act.deleteCode(token, first))).toBe(409);
        expect(await statusOf(act.deleteItems(token, [{ name }]))).toBe(409);
        expect((await act.group(token, name)).versions).toHaveLength(2);
        await act.protect(token, { name, protected: false });
        expect(await act.deleteGroup(token, name)).toEqual({ ok: true, deleted: 2 });
      },
    }),
    protectCase({
      name: "a version, and so its report, but not other versions",
      given: published,
      request: ({ first }) => ({ token, body: { code: first, protected: true } }),
      status: 200,
      after: async ({ name, first, second }) => {
        expect(await itemOf(name)).toMatchObject({ protected: false });
        const failure = await act.deleteGroup(token, name).catch((error: Error) => error.message);
        expect(failure).toBe(
          `Version 1 of "${name}" is protected, so nothing was deleted. Remove the protection first.`,
        );
        expect(await statusOf(act.deleteCode(token, first))).toBe(409);
        expect(await act.deleteCode(token, second)).toEqual({ ok: true, deleted: true });
      },
    }),
    protectCase({
      name: "one of several reports keeps all of them",
      given: async () => [await published(), await published()] as const,
      request: ([, { name }]) => ({ token, body: { name, protected: true } }),
      status: 200,
      after: async ([one, two]) => {
        const deletion = act.deleteItems(token, [{ name: one.name }, { name: two.name }]);
        expect(await deletion.catch((error: Error) => error.message)).toBe(
          `items[1]: report "${two.name}" is protected, so nothing was deleted. Remove the protection first.`,
        );
        expect((await act.group(token, one.name)).versions).toHaveLength(2);
      },
    }),
    protectCase({
      name: "a colleague's report",
      given: async () => {
        const { members, owner } = await service.build.organization({ roles: ["member"] });
        const name = uniqueName();
        await act.publish(owner.token, { name, visibility: "org" });
        return { token: members[0]?.token ?? "", name };
      },
      request: ({ token: other, name }) => ({ token: other, body: { name, protected: true } }),
      status: 403,
      error: "You can't delete this report",
    }),
    protectCase({
      name: "an unknown report",
      given: () => ({}),
      request: () => ({ token, body: { name: "none", protected: true } }),
      status: 404,
      error: 'Report "none" not found',
    }),
    protectCase({
      name: "without saying whether",
      given: published,
      request: ({ name }) => ({ token, body: { name } }),
      status: 400,
      error: "protected is required",
    }),
  ]);
});
