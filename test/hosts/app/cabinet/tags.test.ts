import { beforeAll, expect } from "bun:test";
import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "../../../../src/contract/cabinet/tags.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { orderActionsOf } from "./order-actions.ts";
import { casesOfTitles, refusedTitles } from "./titles.ts";

const createCase = casesOf<typeof createTagRoute>();
const renameCase = casesOf<typeof renameTagRoute>();
const moveCase = casesOf<typeof moveTagRoute>();
const deleteCase = casesOf<typeof deleteTagRoute>();

const NO_TAG = /^Tag ".*" not found/;
const NO_PARENT = /^Parent tag ".*" not found/;
const RING = "parent_id can't be the tag itself or one of its descendants. Choose another parent.";

describeOneEngine("tags", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let owner: string;
  let token: string;

  beforeAll(async () => {
    ({ slug: owner, token } = await service.build.user());
  });

  const tagsOf = async () => (await act.taxonomy(token, owner)).tags;
  const tagOf = async (wanted: string) => (await tagsOf()).find(({ id }) => id === wanted);

  /** Creates three nested tags, and a report with all of them. */
  async function family() {
    const top = await act.createTag(token, owner, uniqueName("Top"));
    const middle = await act.createTag(token, owner, uniqueName("Middle"), top.id);
    const leaf = await act.createTag(token, owner, uniqueName("Leaf"), middle.id);
    const beside = await act.createTag(token, owner, uniqueName("Beside"));
    const name = uniqueName();
    await act.publish(token, { name });
    await act.tagItems(token, { items: [{ name }], add: [top.id, middle.id, leaf.id, beside.id] });
    return { top, middle, leaf, beside, name };
  }
  const titlesOn = async (name: string) => (await act.group(token, name)).tags.map(({ title }) => title);

  async function others() {
    const { slug, token: theirs } = await service.build.user();
    const tag = await act.createTag(theirs, slug, "Theirs");
    return { theirs, slug, tag, before: await act.taxonomy(theirs, slug) };
  }
  const unchanged = async ({ theirs, slug, before }: Awaited<ReturnType<typeof others>>) =>
    expect(await act.taxonomy(theirs, slug)).toEqual(before);

  testCases(() => service, createTagRoute, [
    createCase({
      name: "a tag at the top",
      given: () => uniqueName("Tag"),
      request: (title) => ({ token, body: { owner, title } }),
      status: 200,
      check: async (answer, title) => {
        const id = expect.stringMatching(/^tag_[0-9A-Za-z]{16}$/);
        expect(answer).toEqual({ id, title, parent_id: null, item_count: 0, subtree_count: 0 });
        expect(Object.keys(answer)[0]).toBe("id");
        expect(await tagsOf()).toContainEqual(answer);
      },
    }),
    createCase({
      name: "a tag below another one with the same title",
      given: () => act.createTag(token, owner),
      request: ({ id, title }) => ({ token, body: { owner, title, parent_id: id } }),
      status: 200,
      check: (answer, { id, title }) => expect(answer).toMatchObject({ title, parent_id: id }),
    }),
    createCase({
      name: "a tag that exists, with other case and blanks: the same one with its counts",
      given: async () => {
        const parent = await act.createTag(token, owner);
        const tag = await act.createTag(token, owner, "Wöchentlich", parent.id);
        await act.createTag(token, owner, "Wöchentlich");
        const name = uniqueName();
        await act.publish(token, { name });
        await act.tagItems(token, { items: [{ name }], add: [tag.id] });
        return { tag, before: await tagsOf() };
      },
      request: ({ tag }) => ({ token, body: { owner, title: " WÖCHENTLICH ", parent_id: tag.parent_id } }),
      status: 200,
      check: async (answer, { tag, before }) => {
        expect(answer).toEqual({ ...tag, item_count: 1, subtree_count: 1 });
        expect(await tagsOf()).toEqual(before);
      },
    }),
    createCase({
      name: "with a null parent: at the top",
      given: () => undefined,
      request: () => ({ token, body: { owner, title: "Top", parent_id: null } }),
      status: 200,
      check: (answer) => expect(answer.parent_id).toBeNull(),
    }),
    ...casesOfTitles<typeof createTagRoute>({ maker: () => ({ owner, token }), listed: tagsOf }),
    createCase({
      name: "below another user's tag",
      given: others,
      request: ({ tag }) => ({ token, body: { owner, title: "Mine", parent_id: tag.id } }),
      status: 404,
      error: NO_PARENT,
      after: unchanged,
    }),
    createCase({
      name: "below a tag that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { owner, title: "Mine", parent_id: "tag_0000000000000000" } }),
      status: 404,
      error: NO_PARENT,
    }),
    createCase({
      name: "in another user's workspace",
      given: others,
      request: ({ slug }) => ({ token, body: { owner: slug, title: "Mine" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
      after: unchanged,
    }),
  ]);

  testCases(() => service, renameTagRoute, [
    renameCase({
      name: "a tag, also as its reports show it",
      given: family,
      request: ({ middle }) => ({ token, body: { id: middle.id, title: " Renamed " } }),
      status: 200,
      check: (answer, { middle }) => expect(answer).toEqual({ ok: true, id: middle.id, title: "Renamed" }),
      after: async ({ top, middle, name }) => {
        const counts = { item_count: 1, subtree_count: 1 };
        expect(await tagOf(middle.id)).toEqual({ ...middle, title: "Renamed", parent_id: top.id, ...counts });
        expect((await act.group(token, name)).tags).toContainEqual({ id: middle.id, title: "Renamed" });
      },
    }),
    ...refusedTitles.map(([name, title, error]) =>
      renameCase({
        name: `to ${name}`,
        given: () => act.createTag(token, owner),
        request: ({ id }) => ({ token, body: { id, title } }),
        status: 400,
        error,
        after: async (tag) => expect(await tagOf(tag.id)).toEqual(tag),
      }),
    ),
    renameCase({
      name: "another user's",
      given: others,
      request: ({ tag }) => ({ token, body: { id: tag.id, title: "Mine" } }),
      status: 404,
      error: NO_TAG,
      after: unchanged,
    }),
  ]);

  testCases(() => service, moveTagRoute, [
    moveCase({
      name: "below another one, with its subtree",
      given: family,
      request: ({ middle, beside }) => ({ token, body: { id: middle.id, parent_id: beside.id } }),
      status: 200,
      check: (answer, { middle, beside }) => expect(answer).toEqual({ ok: true, id: middle.id, parent_id: beside.id }),
      after: async ({ middle, leaf, beside, name }) => {
        expect(await tagOf(middle.id)).toMatchObject({ parent_id: beside.id });
        expect(await tagOf(leaf.id)).toMatchObject({ parent_id: middle.id });
        expect(await titlesOn(name)).toHaveLength(4);
      },
    }),
    moveCase({
      name: "to the top",
      given: family,
      request: ({ leaf }) => ({ token, body: { id: leaf.id, parent_id: null } }),
      status: 200,
      after: async ({ leaf }) => expect(await tagOf(leaf.id)).toMatchObject({ parent_id: null }),
    }),
    moveCase({
      name: "up the tree",
      given: family,
      request: ({ leaf, top }) => ({ token, body: { id: leaf.id, parent_id: top.id } }),
      status: 200,
      after: async ({ leaf, top }) => expect(await tagOf(leaf.id)).toMatchObject({ parent_id: top.id }),
    }),
    moveCase({
      name: "below itself",
      given: family,
      request: ({ middle }) => ({ token, body: { id: middle.id, parent_id: middle.id } }),
      status: 400,
      error: RING,
      after: async ({ middle, top }) => expect(await tagOf(middle.id)).toMatchObject({ parent_id: top.id }),
    }),
    moveCase({
      name: "below one of its descendants",
      given: family,
      request: ({ top, leaf }) => ({ token, body: { id: top.id, parent_id: leaf.id } }),
      status: 400,
      error: RING,
      after: async ({ top }) => expect(await tagOf(top.id)).toMatchObject({ parent_id: null }),
    }),
    moveCase({
      name: "below another user's tag",
      given: async () => ({ ...(await others()), own: await act.createTag(token, owner) }),
      request: ({ own, tag }) => ({ token, body: { id: own.id, parent_id: tag.id } }),
      status: 404,
      error: NO_PARENT,
      after: unchanged,
    }),
    moveCase({
      name: "below a tag of another workspace of the caller's",
      given: async () => {
        const { slug, owner: head } = await service.build.organization();
        const [shared, own] = [await act.createTag(head.token, slug), await act.createTag(head.token, head.slug)];
        return { head, shared, own };
      },
      request: ({ head, shared, own }) => ({ token: head.token, body: { id: shared.id, parent_id: own.id } }),
      status: 404,
      error: NO_PARENT,
    }),
    moveCase({
      name: "another user's",
      given: async () => ({ ...(await others()), own: await act.createTag(token, owner) }),
      request: ({ own, tag }) => ({ token, body: { id: tag.id, parent_id: own.id } }),
      status: 404,
      error: NO_TAG,
      after: unchanged,
    }),
    moveCase({
      name: "with no parent_id",
      given: family,
      request: ({ leaf }) => ({ token, body: { id: leaf.id } }),
      status: 400,
      error: "parent_id is required",
    }),
  ]);

  testCases(() => service, deleteTagRoute, [
    deleteCase({
      name: "a tag with its subtree, also from its reports",
      given: family,
      request: ({ middle }) => ({ token, body: { id: middle.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: 2 }),
      after: async ({ top, middle, leaf, beside, name }) => {
        const ids = (await tagsOf()).map(({ id }) => id);
        expect(ids).toEqual(expect.arrayContaining([top.id, beside.id]));
        expect(ids).not.toContain(middle.id);
        expect(ids).not.toContain(leaf.id);
        expect(await titlesOn(name)).toEqual([beside.title, top.title]);
      },
    }),
    deleteCase({
      name: "a leaf only",
      given: family,
      request: ({ leaf }) => ({ token, body: { id: leaf.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, deleted: 1 }),
      after: async ({ middle, name }) => {
        expect(await tagOf(middle.id)).toBeDefined();
        expect(await titlesOn(name)).toHaveLength(3);
      },
    }),
    deleteCase({
      name: "another user's",
      given: others,
      request: ({ tag }) => ({ token, body: { id: tag.id } }),
      status: 404,
      error: NO_TAG,
      after: unchanged,
    }),
    deleteCase({
      name: "one that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { id: "tag_0000000000000000" } }),
      status: 404,
      error: NO_TAG,
    }),
  ]);
});
