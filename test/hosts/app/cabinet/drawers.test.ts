import { beforeAll, expect } from "bun:test";
import { createDrawerRoute, deleteDrawerRoute, renameDrawerRoute } from "../../../../src/contract/cabinet/cabinet.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { orderActionsOf } from "./order-actions.ts";
import { casesOfTitles, refusedTitles } from "./titles.ts";

const createCase = casesOf<typeof createDrawerRoute>();
const renameCase = casesOf<typeof renameDrawerRoute>();
const deleteCase = casesOf<typeof deleteDrawerRoute>();

describeOneEngine("drawers", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let owner: string;
  let token: string;

  beforeAll(async () => {
    ({ slug: owner, token } = await service.build.user());
  });

  const drawersOf = async () => (await act.taxonomy(token, owner)).drawers;
  const drawerOf = async (wanted: string) => (await drawersOf()).find(({ id }) => id === wanted);

  /** Creates a drawer with two folders, one of which contains a report. */
  async function filled() {
    const drawer = await act.createDrawer(token, owner, uniqueName("Drawer"));
    const folder = await act.createFolder(token, owner, uniqueName("Folder"), drawer.id);
    await act.createFolder(token, owner, uniqueName("Empty"), drawer.id);
    const name = uniqueName();
    await act.publish(token, { name });
    await act.fileItems(token, { items: [{ name }], folder_id: folder.id });
    return { drawer, folder, name };
  }

  testCases(() => service, createDrawerRoute, [
    createCase({
      name: "a drawer",
      given: () => uniqueName("Drawer"),
      request: (title) => ({ token, body: { owner, title } }),
      status: 200,
      check: async (answer, title) => {
        expect(answer).toEqual({ id: expect.stringMatching(/^drw_[0-9A-Za-z]{16}$/), title, item_count: 0 });
        expect(Object.keys(answer)[0]).toBe("id");
        expect(await drawersOf()).toContainEqual(answer);
      },
    }),
    createCase({
      name: "a second one with the same title",
      given: async () => act.createDrawer(token, owner, uniqueName("Twin")),
      request: ({ title }) => ({ token, body: { owner, title } }),
      status: 200,
      after: async ({ title }) =>
        expect((await drawersOf()).filter((drawer) => drawer.title === title)).toHaveLength(2),
    }),
    createCase({
      name: "by a member of an organization, for everyone in it",
      given: () => service.build.organization({ roles: ["member"] }),
      request: ({ slug, members }) => ({ token: members[0]?.token, body: { owner: slug, title: "Shared" } }),
      status: 200,
      after: async ({ slug, owner: head }) =>
        expect((await act.taxonomy(head.token, slug)).drawers).toMatchObject([{ title: "Shared" }]),
    }),
    createCase({
      name: "in another user's workspace",
      given: () => service.build.user(),
      request: ({ slug }) => ({ token, body: { owner: slug, title: "Mine" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    createCase({
      name: "in a workspace that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { owner: "no-such-workspace", title: "Mine" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    ...casesOfTitles<typeof createDrawerRoute>({ maker: () => ({ owner, token }), listed: drawersOf }),
    createCase({
      name: "without an owner",
      given: () => undefined,
      request: () => ({ token, body: { title: "A" } }),
      status: 400,
      error: "owner is required",
    }),
  ]);

  testCases(() => service, renameDrawerRoute, [
    renameCase({
      name: "a drawer, and the labels of its contents",
      given: filled,
      request: ({ drawer }) => ({ token, body: { id: drawer.id, title: "  Renamed " } }),
      status: 200,
      check: (answer, { drawer }) => expect(answer).toEqual({ ok: true, id: drawer.id, title: "Renamed" }),
      after: async ({ drawer, folder, name }) => {
        expect(await drawerOf(drawer.id)).toEqual({ id: drawer.id, title: "Renamed", item_count: 1 });
        expect((await act.group(token, name)).folder).toBe(`Renamed/${folder.title}`);
      },
    }),
    renameCase({
      name: "one made by a label: the old label no longer matches it",
      given: async () => {
        const [name, other, title] = [uniqueName(), uniqueName(), uniqueName("Label")];
        await act.publish(token, { name, folder: `${title}/Folder` });
        const { drawer_id } = await act.group(token, name);
        return { name, other, title, id: drawer_id ?? "" };
      },
      request: ({ id }) => ({ token, body: { id, title: "Elsewhere" } }),
      status: 200,
      after: async ({ name, other, title, id }) => {
        await act.publish(token, { name: other, folder: `${title}/Folder` });
        const [old, found] = await Promise.all([act.group(token, name), act.group(token, other)]);
        expect([old.folder, old.drawer_id]).toEqual(["Elsewhere/Folder", id]);
        expect(found.folder).toBe(`${title}/Folder`);
        expect(found.drawer_id).not.toBe(id);
      },
    }),
    ...refusedTitles.map(([name, title, error]) =>
      renameCase({
        name: `to ${name}`,
        given: () => act.createDrawer(token, owner),
        request: ({ id }) => ({ token, body: { id, title } }),
        status: 400,
        error,
        after: async ({ id, title: before }) => expect((await drawerOf(id))?.title).toBe(before),
      }),
    ),
    renameCase({
      name: "another user's",
      given: async () => {
        const other = await service.build.user();
        return { other, drawer: await act.createDrawer(other.token, other.slug, "Theirs") };
      },
      request: ({ drawer }) => ({ token, body: { id: drawer.id, title: "Mine" } }),
      status: 404,
      error: /^Drawer ".*" not found/,
      after: async ({ other }) =>
        expect((await act.taxonomy(other.token, other.slug)).drawers).toMatchObject([{ title: "Theirs" }]),
    }),
    renameCase({
      name: "one that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { id: "drw_0000000000000000", title: "Mine" } }),
      status: 404,
      error: /^Drawer ".*" not found/,
    }),
    renameCase({
      name: "a folder's id",
      given: () => act.createFolder(token, owner),
      request: ({ id }) => ({ token, body: { id, title: "Mine" } }),
      status: 404,
      error: /^Drawer ".*" not found/,
    }),
  ]);

  testCases(() => service, deleteDrawerRoute, [
    deleteCase({
      name: "a drawer: its folders move to the root with their contents",
      given: filled,
      request: ({ drawer }) => ({ token, body: { id: drawer.id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true }),
      after: async ({ drawer, folder, name }) => {
        expect(await drawerOf(drawer.id)).toBeUndefined();
        const { folders } = await act.taxonomy(token, owner);
        expect(folders).toContainEqual({ ...folder, drawer_id: null, item_count: 1 });
        expect(folders.filter(({ drawer_id }) => drawer_id === drawer.id)).toEqual([]);
        expect(await act.group(token, name)).toMatchObject({
          folder: folder.title,
          folder_id: folder.id,
          drawer_id: null,
        });
      },
    }),
    deleteCase({
      name: "another user's",
      given: async () => {
        const other = await service.build.user();
        const drawer = await act.createDrawer(other.token, other.slug, "Theirs");
        await act.createFolder(other.token, other.slug, "Folder", drawer.id);
        return { other, drawer };
      },
      request: ({ drawer }) => ({ token, body: { id: drawer.id } }),
      status: 404,
      error: /^Drawer ".*" not found/,
      after: async ({ other, drawer }) =>
        expect((await act.taxonomy(other.token, other.slug)).folders).toMatchObject([{ drawer_id: drawer.id }]),
    }),
    deleteCase({
      name: "the same one twice",
      given: async () => {
        const drawer = await act.createDrawer(token, owner);
        await act.deleteDrawer(token, drawer.id);
        return drawer;
      },
      request: ({ id }) => ({ token, body: { id } }),
      status: 404,
      error: /^Drawer ".*" not found/,
    }),
    deleteCase({
      name: "no id",
      given: () => undefined,
      request: () => ({ token, body: {} }),
      status: 400,
      error: "id is required",
    }),
  ]);
});
