import { beforeAll, expect, test } from "bun:test";
import { tagItemsRoute } from "../../../../src/contract/cabinet/items.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { useService } from "../../../support/service.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { createFurniture, type Furniture, NO_ID, wrongItems } from "./items-support.ts";
import type { OrderActions } from "./order-actions.ts";

const tagCase = casesOf<typeof tagItemsRoute>();

describeOneEngine("reports tagged together", (engine) => {
  const service = useService({ engine });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let furniture: Furniture;

  beforeAll(async () => {
    furniture = await createFurniture(service);
    ({ act, owner, token } = furniture);
  });

  const furnish = () => furniture.furnish();
  const unchanged = (given: Awaited<ReturnType<Furniture["furnish"]>>) => furniture.unchanged(given);
  const group = (as: string) => furniture.group(as);
  const tagIdsOf = (name: string, as?: string) => furniture.tagIdsOf(name, as);
  let tags: Promise<string[]> | undefined;
  /** Creates them once; each case attaches them to its own reports only. */
  const thousandTags = () =>
    (tags ??= Promise.all(
      Array.from({ length: 1000 }, async (_, number) => (await act.createTag(token, owner, `Tag ${number}`)).id),
    ));
  const sorted = (...tags: { id: string }[]) => tags.map(({ id }) => id).toSorted();

  testCases(() => service, tagItemsRoute, [
    tagCase({
      name: "add attaches, and keeps existing tags",
      given: () => furnish(),
      request: ({ items, a, b }) => ({ token, body: { items, add: [a.id, b.id, a.id] } }),
      status: 200,
      check: (answer, { items, a, b }) =>
        expect(answer).toEqual({ ok: true, updated: 3, undo: [{ items, remove: sorted(a, b) }] }),
      after: async ({ one, two, kept, a, b }) => {
        expect(await tagIdsOf(one.name)).toEqual(sorted(kept, a, b));
        expect(await tagIdsOf(two.name)).toEqual(sorted(kept, a, b));
        const counts = (await act.taxonomy(token, owner)).tags.filter(({ id }) => id === a.id);
        expect(counts).toEqual([{ ...a, item_count: 3, subtree_count: 3 }]);
      },
    }),
    tagCase({
      name: "what undoes it names reports in the order of the request",
      given: () => furnish(),
      request: ({ items, a }) => ({ token, body: { items: items.toReversed(), add: [a.id] } }),
      status: 200,
      check: (answer, { items, a }) =>
        expect(answer).toEqual({ ok: true, updated: 3, undo: [{ items: items.toReversed(), remove: [a.id] }] }),
    }),
    tagCase({
      name: "remove detaches, and ignores tags that aren't attached",
      given: async () => {
        const made = await furnish();
        await act.tagItems(token, { items: [{ name: made.one.name }], add: [made.a.id] });
        return made;
      },
      request: ({ items, a }) => ({ token, body: { items, remove: [a.id] } }),
      status: 200,
      check: (answer, { items, a }) =>
        expect(answer).toEqual({ ok: true, updated: 3, undo: [{ items: items.slice(0, 1), add: [a.id] }] }),
      after: async ({ one, two, kept }) => {
        expect(await tagIdsOf(one.name)).toEqual([kept.id]);
        expect(await tagIdsOf(two.name)).toEqual([kept.id]);
      },
    }),
    tagCase({
      name: "set replaces",
      given: () => furnish(),
      request: ({ items, a, b }) => ({ token, body: { items, set: [a.id, b.id] } }),
      status: 200,
      after: async ({ one, two, a, b }) => {
        expect(await tagIdsOf(one.name)).toEqual(sorted(a, b));
        expect(await tagIdsOf(two.name)).toEqual(sorted(a, b));
      },
    }),
    tagCase({
      name: "an empty set removes all",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, set: [] } }),
      status: 200,
      after: async ({ one, two }) => {
        expect(await tagIdsOf(one.name)).toEqual([]);
        expect(await tagIdsOf(two.name)).toEqual([]);
      },
    }),
    ...(["add", "remove"] as const).map((mode) =>
      tagCase({
        name: `nothing to ${mode}`,
        given: () => furnish(),
        request: ({ items }) => ({ token, body: { items, [mode]: [] } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true, updated: 3, undo: [] }),
        after: unchanged,
      }),
    ),
    tagCase({
      name: "a report by an older code",
      given: () => furnish(),
      request: ({ one, a }) => ({ token, body: { items: [{ code: one.first }], set: [a.id] } }),
      status: 200,
      after: async ({ one, a }) => expect(await tagIdsOf(one.name)).toEqual([a.id]),
    }),
    ...wrongItems.map(([name, status, error, items]) =>
      tagCase({
        name: `items: ${name}`,
        given: () => furnish(),
        request: (given) => ({ token, body: { items: items(given), set: [given.a.id] } }),
        status,
        error,
        after: unchanged,
      }),
    ),
    ...(["add", "remove", "set"] as const).map((mode) =>
      tagCase({
        name: `${mode} with a tag that doesn't exist`,
        given: () => furnish(),
        request: ({ items, a }) => ({ token, body: { items, [mode]: [a.id, a.id, `tag_${NO_ID}`] } }),
        status: 404,
        error: `${mode}[2] "tag_${NO_ID}" not found`,
        after: unchanged,
      }),
    ),
    tagCase({
      name: "with another user's tag",
      given: async () => {
        const other = await service.build.user();
        return { ...(await furnish()), theirs: await act.createTag(other.token, other.slug) };
      },
      request: ({ items, a, theirs }) => ({ token, body: { items, add: [a.id, theirs.id] } }),
      status: 404,
      error: /^add\[1\] ".*" not found/,
      after: unchanged,
    }),
    tagCase({
      name: "with 1,001 tags",
      given: () => furnish(),
      request: ({ items, a }) => ({ token, body: { items, add: Array.from({ length: 1001 }, () => a.id) } }),
      status: 400,
      error: "add must have at most 1000 entries.",
      after: unchanged,
    }),
    ...(["add", "set", "remove"] as const).map((mode) =>
      tagCase({
        name: `${mode} with 1,000 tags, in more than 64 KB`,
        given: async () => ({ ...(await furnish()), many: await thousandTags() }),
        request: ({ items, many }) => ({ token, body: JSON.stringify({ items, [mode]: many }, null, 64) }),
        status: 200,
        check: (answer) => expect(answer).toMatchObject({ ok: true, updated: 3 }),
        after: async ({ one, kept, many }) =>
          expect(await tagIdsOf(one.name)).toEqual(
            { add: [kept.id, ...many].toSorted(), set: many.toSorted(), remove: [kept.id] }[mode],
          ),
      }),
    ),
    tagCase({
      name: "with 20,001 pairs",
      given: async () => {
        const { items, ...made } = await furnish();
        const groups = await Promise.all(Array.from({ length: 18 }, () => group(token)));
        return { ...made, items: [...items, ...groups.map(({ name }) => ({ name }))], many: await thousandTags() };
      },
      request: ({ items, many }) => ({ token, body: { items, add: many.slice(0, 953) } }),
      status: 400,
      error: "items and add combine to 20013 pairs of report and tag. The limit is 20000. Send fewer items or tags.",
      after: async ({ one, kept }) => expect(await tagIdsOf(one.name)).toEqual([kept.id]),
    }),
    ...[{}, { add: [], remove: [] }, { add: [], set: [] }, { add: [], remove: [], set: [] }].map((modes) =>
      tagCase({
        name: `with ${Object.keys(modes).join(" and ") || "none"} of add, remove and set`,
        given: () => furnish(),
        request: ({ items }) => ({ token, body: { items, ...modes } }),
        status: 400,
        error: "Specify one of add, remove and set.",
        after: unchanged,
      }),
    ),
    tagCase({
      name: "with a tag id that isn't text",
      given: () => furnish(),
      request: ({ items }) => ({ token, body: { items, add: [7] } }),
      status: 400,
      error: "add[0] must be a string, not a number.",
      after: unchanged,
    }),
  ]);

  test.each(["add", "remove", "set"] as const)(
    "what answers %s undoes it, within the limits of a call",
    async (mode) => {
      const { one, two, kept, a, b, items } = await furnish();
      const many = await thousandTags();
      await act.tagItems(token, { items: [{ name: one.name }], add: [a.id] });
      await act.tagItems(token, { items: items.slice(0, 2), add: many });
      const tagsNow = () => Promise.all([one, two].map(({ name }) => tagIdsOf(name)));
      const before = await tagsNow();
      const { undo } = await act.tagItems(token, { items, [mode]: [kept.id, b.id] });
      expect(await tagsNow()).not.toEqual(before);
      for (const request of undo) await act.tagItems(token, request);
      expect(await tagsNow()).toEqual(before);
    },
  );

  test("a member files and tags what they may read, and finds nothing else", async () => {
    const { slug, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const folder = await act.createFolder(member, slug);
    const tag = await act.createTag(member, slug);
    const [shared, secret, own] = [await group(head.token), await group(head.token), await group(member)];
    await act.setVisibility(head.token, { name: shared.name, visibility: "public" });
    const both = [{ name: shared.name }, { name: own.name }];
    for (const item of [{ name: secret.name }, { code: secret.last }]) {
      expect(await statusOf(act.fileItems(member, { items: [...both, item], folder_id: folder.id }))).toBe(404);
      expect(await statusOf(act.tagItems(member, { items: [...both, item], add: [tag.id] }))).toBe(404);
    }
    expect((await act.group(member, own.name)).folder_id).toBeNull();
    expect(await act.fileItems(member, { items: both, folder_id: folder.id })).toMatchObject({ updated: 2 });
    expect(await act.tagItems(member, { items: both, add: [tag.id] })).toMatchObject({ updated: 2 });
    expect(await act.group(head.token, shared.name)).toMatchObject({ folder_id: folder.id, tags: [{ id: tag.id }] });
  });

  test("a report whose current version was withdrawn isn't found by a member, with any of its codes", async () => {
    const { slug, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const tag = await act.createTag(member, slug);
    const { name, first, last } = await group(head.token);
    await act.setVisibility(head.token, { name, visibility: "public" });
    await act.setVisibility(head.token, { code: last, visibility: "private" });
    for (const item of [{ name }, { code: first }, { code: last }]) {
      expect(await statusOf(act.tagItems(member, { items: [item], add: [tag.id] }))).toBe(404);
    }
    expect(await tagIdsOf(name, head.token)).toEqual([]);
  });
});
