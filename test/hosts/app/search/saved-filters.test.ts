import { beforeAll, expect, test } from "bun:test";
import {
  addFilterRoute,
  removeFilterRoute,
  renameFilterRoute,
  savedFiltersRoute,
} from "../../../../src/contract/search/saved-filters.ts";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import { SAVED_FILTERS } from "../../../../src/domain/model/limits.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const addCase = casesOf<typeof addFilterRoute>();
const renameCase = casesOf<typeof renameFilterRoute>();
const removeCase = casesOf<typeof removeFilterRoute>();

describeOneEngine("saved filters", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let slug: string;
  let token: string;
  let stranger: { slug: string; token: string };

  beforeAll(async () => {
    ({ slug, token } = await service.build.user());
    stranger = await service.build.user();
  });

  const list = async (by: { slug: string; token: string }, owner = by.slug) =>
    (await service.client(by.token).call(savedFiltersRoute, { query: { owner } })).filters;
  const add = (by: { slug: string; token: string }, title = "Mine", owner = by.slug) =>
    service.client(by.token).call(addFilterRoute, { body: { owner, title, query: { q: title } } });
  const unchanged = async (given: { by: { slug: string; token: string }; filter: object }) =>
    expect(await list(given.by)).toEqual([given.filter as never]);
  const given = async () => {
    const by = await service.build.user();
    return { by, filter: await add(by) };
  };

  const query = {
    q: "sales 四月",
    folder_id: "none",
    tag_id: ["tag_a", "tag_b"],
    tag_scope: "subtree",
    visibility: "org",
    author: ["ada", "grace"],
    since: "2026-03-01",
    until: "2026-04-01T09:30:00Z",
    sort: "-title",
  } as const;

  const refused = (name: string, body: object, error: string | RegExp) =>
    addCase({
      name,
      given: () => undefined,
      request: () => ({ token, body: { owner: slug, title: "A", query: {}, ...body } }),
      status: 400,
      error,
    });

  testCases(() => service, addFilterRoute, [
    addCase({
      name: "with every parameter, as it was given",
      given: () => service.build.user(),
      request: (by) => ({ token: by.token, body: { owner: by.slug, title: "  Mine ", query } }),
      status: 200,
      check: (answer) => expect(answer).toMatchObject({ id: expect.stringMatching(/^flt_/), title: "Mine", query }),
      after: async (by) => expect(await list(by)).toMatchObject([{ title: "Mine", query }]),
    }),
    refused("an unknown parameter", { query: { limit: 5 } }, /^query/),
    refused("a folder and a drawer", { query: { folder_id: "a", drawer_id: "b" } }, /folder_id or drawer_id, not both/),
    refused("a time that is none", { query: { since: "yesterday" } }, /since must be a date or time/),
    refused("21 authors", { query: { author: Array.from({ length: 21 }, String) } }, /author/),
    refused("an unknown order", { query: { sort: "size" } }, /sort/),
    refused("a long text", { query: { q: "x".repeat(501) } }, /q must have at most 500 characters/),
    refused("an empty title", { title: " " }, /^title can't be empty/),
    refused("no query", { query: undefined }, /^query/),
    addCase({
      name: "one more than the limit",
      given: async () => {
        const by = await service.build.user();
        const all = Array.from({ length: SAVED_FILTERS }, (_, number) => add(by, `Filter ${number}`));
        await Promise.all(all);
        return by;
      },
      request: (by) => ({ token: by.token, body: { owner: by.slug, title: "One more", query: {} } }),
      status: 400,
      error: "You have 50 saved filters in this workspace, which is the limit. Remove one first.",
      after: async (by) => expect(await list(by)).toHaveLength(SAVED_FILTERS),
    }),
    addCase({
      name: "in a workspace of someone else",
      given: () => undefined,
      request: () => ({ token: stranger.token, body: { owner: slug, title: "A", query: {} } }),
      status: 404,
    }),
  ]);

  testCases(() => service, renameFilterRoute, [
    renameCase({
      name: "one's own",
      given,
      request: ({ by, filter }) => ({ token: by.token, body: { id: filter.id, title: " Other " } }),
      status: 200,
      check: (answer, { filter }) => expect(answer).toEqual({ ok: true, id: filter.id, title: "Other" }),
      after: async ({ by, filter }) => expect(await list(by)).toEqual([{ ...filter, title: "Other" }]),
    }),
    renameCase({
      name: "one of someone else",
      given,
      request: ({ filter }) => ({ token, body: { id: filter.id, title: "Other" } }),
      status: 404,
      after: unchanged,
    }),
  ]);

  testCases(() => service, removeFilterRoute, [
    removeCase({
      name: "one's own",
      given,
      request: ({ by, filter }) => ({ token: by.token, body: { id: filter.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, removed: true }),
      after: async ({ by }) => expect(await list(by)).toEqual([]),
    }),
    removeCase({
      name: "one of someone else",
      given,
      request: ({ filter }) => ({ token, body: { id: filter.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, removed: false }),
      after: unchanged,
    }),
  ]);

  test("belong to one user in one workspace, and go with the membership", async () => {
    const organization = await addOrganization(service);
    const { owner, member } = organization;
    const { id } = await add(member, "Ours", organization.slug);
    expect(await list(member)).toEqual([]);
    expect(await list(owner, organization.slug)).toEqual([]);
    expect(await list(member, organization.slug)).toMatchObject([{ id, title: "Ours" }]);
    await act.removeMember(owner.token, { owner: organization.slug, userId: member.userId });
    const answer = await service.client(member.token).call(removeFilterRoute, { body: { id } });
    expect(answer.removed).toBe(false);
  });

  test("are parameters of a search as they are", async () => {
    const name = uniqueName();
    await act.publish(token, { name, visibility: "public" });
    const filter = await service.client(token).call(addFilterRoute, {
      body: { owner: slug, title: "A", query: { q: name, visibility: "public", author: [slug], since: "2020-01-01" } },
    });
    const found = await service.client(token).call(searchRoute, { query: { owner: slug, ...filter.query } });
    expect(found.items).toMatchObject([{ name }]);
  });
});
