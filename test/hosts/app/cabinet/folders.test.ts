import { beforeAll, expect } from "bun:test";
import { createFolderRoute, moveFolderRoute, renameFolderRoute } from "../../../../src/contract/cabinet/cabinet.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { nextMillisecond } from "../../../support/until.ts";
import { casesOf, testCases } from "../cases.ts";
import { type Cabinet, createCabinet } from "./cabinet-support.ts";
import type { OrderActions } from "./order-actions.ts";
import { casesOfTitles, refusedTitles } from "./titles.ts";

const createCase = casesOf<typeof createFolderRoute>();
const renameCase = casesOf<typeof renameFolderRoute>();
const moveCase = casesOf<typeof moveFolderRoute>();

const NO_FOLDER = /^Folder ".*" not found/;
const NO_DRAWER = /^Drawer ".*" not found/;

describeOneEngine("folders", (engine) => {
  const service = useService({ engine });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let cabinet: Cabinet;

  beforeAll(async () => {
    cabinet = await createCabinet(service);
    ({ act, owner, token } = cabinet);
  });

  const foldersOf = () => cabinet.foldersOf();
  const folderOf = (id: string) => cabinet.folderOf(id);
  const drawer = () => cabinet.drawer();
  const filedGroup = (label: string) => cabinet.filedGroup(label);
  const others = () => cabinet.others();
  const unchanged = (given: Awaited<ReturnType<Cabinet["others"]>>) => cabinet.unchanged(given);

  testCases(() => service, createFolderRoute, [
    createCase({
      name: "a folder at the root",
      given: () => uniqueName("Folder"),
      request: (title) => ({ token, body: { owner, title } }),
      status: 200,
      check: async (answer, title) => {
        const id = expect.stringMatching(/^fld_[0-9A-Za-z]{16}$/);
        expect(answer).toEqual({ id, title, drawer_id: null, item_count: 0 });
        expect(Object.keys(answer)[0]).toBe("id");
        expect(await foldersOf()).toContainEqual(answer);
      },
    }),
    createCase({
      name: "a folder in a drawer, which a label then finds",
      given: drawer,
      request: ({ id }) => ({ token, body: { owner, title: "Made", drawer_id: id } }),
      status: 200,
      check: async (answer, { id, title }) => {
        expect(answer).toMatchObject({ title: "Made", drawer_id: id });
        expect((await filedGroup(`${title}/Made`)).id).toBe(answer.id);
      },
    }),
    createCase({
      name: "with a null drawer: at the root",
      given: () => undefined,
      request: () => ({ token, body: { owner, title: "Root", drawer_id: null } }),
      status: 200,
      check: (answer) => expect(answer.drawer_id).toBeNull(),
    }),
    ...casesOfTitles<typeof createFolderRoute>({ maker: () => ({ owner, token }), listed: foldersOf }),
    createCase({
      name: "in another user's drawer",
      given: others,
      request: (given) => ({ token, body: { owner, title: "Mine", drawer_id: given.drawer.id } }),
      status: 404,
      error: NO_DRAWER,
      after: unchanged,
    }),
    createCase({
      name: "in a drawer of another workspace of the caller's",
      given: async () => {
        const organization = await service.build.organization();
        const { slug, owner: head } = organization;
        const own = await act.createDrawer(head.token, head.slug);
        return { head, slug, own };
      },
      request: ({ head, slug, own }) => ({ token: head.token, body: { owner: slug, title: "A", drawer_id: own.id } }),
      status: 404,
      error: NO_DRAWER,
    }),
    createCase({
      name: "in a drawer that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { owner, title: "Mine", drawer_id: "drw_0000000000000000" } }),
      status: 404,
      error: NO_DRAWER,
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

  testCases(() => service, renameFolderRoute, [
    renameCase({
      name: "a folder, and the label of its contents",
      given: () => filedGroup("Drawer A/Before"),
      request: ({ id }) => ({ token, body: { id, title: " After " } }),
      status: 200,
      check: (answer, { id }) => expect(answer).toEqual({ ok: true, id, title: "After" }),
      after: async ({ name, id }) => {
        expect(await act.group(token, name)).toMatchObject({ folder: "Drawer A/After", folder_id: id });
        const again = await filedGroup("Drawer A/Before");
        expect(again.id).not.toBe(id);
        expect((await filedGroup("Drawer A/After")).id).toBe(id);
      },
    }),
    renameCase({
      name: "to a title that another folder there has: the label finds the older one, and each keeps its contents",
      given: async () => {
        const older = await filedGroup("Drawer B/One");
        await nextMillisecond();
        return { older, younger: await filedGroup("Drawer B/Two") };
      },
      request: ({ younger }) => ({ token, body: { id: younger.id, title: "One" } }),
      status: 200,
      after: async ({ older, younger }) => {
        expect((await filedGroup("Drawer B/One")).id).toBe(older.id);
        await act.setFolder(token, { name: younger.name, folder: "Drawer B/One" });
        expect((await act.group(token, younger.name)).folder_id).toBe(younger.id);
      },
    }),
    renameCase({
      name: "to a title with a slash, which its label still finds",
      given: () => filedGroup("Plain"),
      request: ({ id }) => ({ token, body: { id, title: "Slashed/Title" } }),
      status: 200,
      after: async ({ name, id }) => {
        expect((await act.group(token, name)).folder).toBe("Slashed/Title");
        expect((await filedGroup("Slashed/Title")).id).toBe(id);
      },
    }),
    renameCase({
      name: "to a title that reads like a folder in a drawer, which the label finds first",
      given: async () => ({ root: await filedGroup("Older"), inside: await filedGroup("Drawer H/Inside") }),
      request: ({ root }) => ({ token, body: { id: root.id, title: "Drawer H/Inside" } }),
      status: 200,
      after: async ({ root, inside }) => {
        expect((await act.group(token, root.name)).folder).toBe("Drawer H/Inside");
        expect((await filedGroup("Drawer H/Inside")).id).toBe(inside.id);
      },
    }),
    ...refusedTitles.map(([name, title, error]) =>
      renameCase({
        name: `to ${name}`,
        given: () => act.createFolder(token, owner),
        request: ({ id }) => ({ token, body: { id, title } }),
        status: 400,
        error,
        after: async (folder) => expect(await folderOf(folder.id)).toEqual(folder),
      }),
    ),
    renameCase({
      name: "another user's",
      given: others,
      request: ({ folder }) => ({ token, body: { id: folder.id, title: "Mine" } }),
      status: 404,
      error: NO_FOLDER,
      after: unchanged,
    }),
    renameCase({
      name: "one that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { id: "fld_0000000000000000", title: "Mine" } }),
      status: 404,
      error: NO_FOLDER,
    }),
  ]);

  testCases(() => service, moveFolderRoute, [
    moveCase({
      name: "into a drawer, with its contents",
      given: async () => ({ ...(await filedGroup(uniqueName("Root"))), target: await drawer() }),
      request: ({ id, target }) => ({ token, body: { id, drawer_id: target.id } }),
      status: 200,
      check: (answer, { id, target }) => expect(answer).toEqual({ ok: true, id, drawer_id: target.id }),
      after: async ({ name, id, target }) => {
        const { folder, folder_id, drawer_id } = await act.group(token, name);
        expect([folder_id, drawer_id]).toEqual([id, target.id]);
        expect(folder).toStartWith(`${target.title}/`);
        expect((await act.taxonomy(token, owner)).drawers).toContainEqual({ ...target, item_count: 1 });
      },
    }),
    moveCase({
      name: "to the root: the old label no longer matches it",
      given: () => filedGroup("Drawer C/Moving"),
      request: ({ id }) => ({ token, body: { id, drawer_id: null } }),
      status: 200,
      after: async ({ name, id }) => {
        expect(await act.group(token, name)).toMatchObject({ folder: "Moving", folder_id: id, drawer_id: null });
        expect((await filedGroup("Moving")).id).toBe(id);
        expect((await filedGroup("Drawer C/Moving")).id).not.toBe(id);
      },
    }),
    moveCase({
      name: "to its current place",
      given: () => filedGroup("Drawer D/Still"),
      request: ({ id, drawerId }) => ({ token, body: { id, drawer_id: drawerId } }),
      status: 200,
      after: async ({ id, drawerId }) => expect(await folderOf(id)).toMatchObject({ drawer_id: drawerId }),
    }),
    moveCase({
      name: "into another user's drawer",
      given: async () => ({ ...(await others()), own: await act.createFolder(token, owner) }),
      request: (given) => ({ token, body: { id: given.own.id, drawer_id: given.drawer.id } }),
      status: 404,
      error: NO_DRAWER,
      after: async (given) => {
        expect(await folderOf(given.own.id)).toEqual(given.own);
        await unchanged(given);
      },
    }),
    moveCase({
      name: "another user's into an own drawer",
      given: async () => ({ ...(await others()), own: await drawer() }),
      request: ({ folder, own }) => ({ token, body: { id: folder.id, drawer_id: own.id } }),
      status: 404,
      error: NO_FOLDER,
      after: unchanged,
    }),
    moveCase({
      name: "into a drawer that doesn't exist",
      given: () => filedGroup("Drawer E/Still"),
      request: ({ id }) => ({ token, body: { id, drawer_id: "drw_0000000000000000" } }),
      status: 404,
      error: NO_DRAWER,
      after: async ({ id, drawerId }) => expect(await folderOf(id)).toMatchObject({ drawer_id: drawerId }),
    }),
    moveCase({
      name: "with no drawer_id",
      given: () => filedGroup("Drawer F/Still"),
      request: ({ id }) => ({ token, body: { id } }),
      status: 400,
      error: "drawer_id is required",
      after: async ({ id, drawerId }) => expect(await folderOf(id)).toMatchObject({ drawer_id: drawerId }),
    }),
  ]);
});
