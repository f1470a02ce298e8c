import { expect, test } from "bun:test";
import { listRoute } from "../../../../src/contract/reports/lists.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const listCase = casesOf<typeof listRoute>();

describeOneEngine("pages of the list", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);

  /** Returns a user with two workspaces, with named and unnamed reports in each. */
  async function collector() {
    const { owner, slug } = await service.build.organization();
    const own = await service.build.token({ userSlug: owner.slug });
    for (const token of [owner.token, own]) {
      for (let count = 0; count < 4; count++) {
        await act.publish(token, { name: uniqueName() });
        await act.publish(token);
      }
    }
    return { owner, slug, token: own };
  }

  const list = (token: string, query: { limit?: number; cursor?: string }) =>
    service.client(token).call(listRoute, { query });

  async function everyPage(token: string, limit: number) {
    const seen = { groups: [] as string[], standalone: [] as string[], sizes: [] as number[] };
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(token, { limit, ...(cursor === undefined ? {} : { cursor }) });
      seen.groups.push(...page.groups.map(({ name }) => name));
      seen.standalone.push(...page.standalone.map(({ code }) => code));
      seen.sizes.push(page.groups.length + page.standalone.length);
      cursor = page.next_cursor ?? null;
    }
    return seen;
  }

  testCases(() => service, listRoute, [
    ...["0", "1001", "1.5", "-1", "many", ""].map((limit) =>
      listCase({
        name: `a limit of "${limit}"`,
        given: () => service.build.user(),
        request: ({ token }) => ({ token, query: { limit } }),
        status: 400,
        error: /^limit must be /,
      }),
    ),
    ...["", "x", "AAAA", "e30"].map((cursor) =>
      listCase({
        name: `an invalid cursor "${cursor}"`,
        given: () => service.build.user(),
        request: ({ token }) => ({ token, query: { cursor } }),
        status: 400,
        error: "cursor isn't valid for this request",
      }),
    ),
    listCase({
      name: "another user's cursor",
      given: async () => {
        const { token } = await collector();
        const { next_cursor } = await list(token, { limit: 1 });
        return { stranger: await service.build.user(), cursor: next_cursor ?? "" };
      },
      request: ({ stranger, cursor }) => ({ token: stranger.token, query: { cursor } }),
      status: 400,
      error: "cursor isn't valid for this request",
    }),
    listCase({
      name: "a page that holds everything",
      given: () => service.build.user(),
      request: ({ token }) => ({ token, query: { limit: "1000" } }),
      status: 200,
      check: (answer) => {
        expect(answer).toMatchObject({ groups: [], standalone: [], signedIn: true, next_cursor: null });
      },
    }),
  ]);

  test("pages of any size together contain the whole list, in order", async () => {
    const { token } = await collector();
    const whole = await list(token, {});
    expect(whole.next_cursor).toBeUndefined();
    expect([whole.groups.length, whole.standalone.length]).toEqual([8, 8]);
    for (const limit of [1, 3, 8, 15, 16, 17]) {
      const pages = await everyPage(token, limit);
      expect(pages.groups).toEqual(whole.groups.map(({ name }) => name));
      expect(pages.standalone).toEqual(whole.standalone.map(({ code }) => code));
      expect(pages.sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
    }
  });

  test("reports published meanwhile shift nothing, and a left workspace ends its pages", async () => {
    const { token, owner, slug } = await collector();
    const before = await everyPage(token, 100);
    const first = await list(token, { limit: 3 });
    await act.publish(token, { name: uniqueName() });
    await act.publish(token);
    const rest = await list(token, { limit: 100, cursor: first.next_cursor ?? "" });
    const names = [...first.groups, ...rest.groups].map(({ name }) => name);
    expect(before.groups.filter((name) => !names.includes(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect([owner.slug, slug].sort()).toEqual(first.owners.map((workspace) => workspace.slug).sort());
  });
});
