import { beforeAll, expect } from "bun:test";
import { deleteFolderRoute, setDefaultFolderRoute } from "../../../../src/contract/cabinet/cabinet.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { type Cabinet, createCabinet } from "./cabinet-support.ts";
import type { OrderActions } from "./order-actions.ts";

const deleteCase = casesOf<typeof deleteFolderRoute>();
const defaultCase = casesOf<typeof setDefaultFolderRoute>();

const NO_FOLDER = /^Folder ".*" not found/;

describeOneEngine("deleted and default folders", (engine) => {
  const service = useService({ engine });
  let act: OrderActions;
  let owner: string;
  let token: string;
  let cabinet: Cabinet;

  beforeAll(async () => {
    cabinet = await createCabinet(service);
    ({ act, owner, token } = cabinet);
  });

  const folderOf = (id: string) => cabinet.folderOf(id);
  const filedGroup = (label: string) => cabinet.filedGroup(label);
  const others = () => cabinet.others();
  const unchanged = (given: Awaited<ReturnType<Cabinet["others"]>>) => cabinet.unchanged(given);

  testCases(() => service, deleteFolderRoute, [
    deleteCase({
      name: "a folder: its contents are unfiled and dated",
      given: async () => ({ ...(await filedGroup(uniqueName("Doomed"))), startedAt: Date.now() }),
      request: ({ id }) => ({ token, body: { id } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true }),
      after: async ({ name, id, startedAt }) => {
        expect(await folderOf(id)).toBeUndefined();
        const { folder_changed_at, ...detail } = await act.group(token, name);
        expect(detail).toMatchObject({ folder: null, folder_id: null, drawer_id: null });
        expect(Date.parse(folder_changed_at ?? "")).toBeGreaterThanOrEqual(startedAt);
        expect(detail.versions).toHaveLength(1);
      },
    }),
    deleteCase({
      name: "a folder made by a label: the label creates a new one",
      given: () => filedGroup("Drawer G/Again"),
      request: ({ id }) => ({ token, body: { id } }),
      status: 200,
      after: async ({ id, drawerId }) => {
        const again = await filedGroup("Drawer G/Again");
        expect(again.id).not.toBe(id);
        expect(again.drawerId).toBe(drawerId);
      },
    }),
    deleteCase({
      name: "the default folder: there is none afterwards",
      given: async () => {
        const user = await service.build.user();
        const folder = await act.createFolder(user.token, user.slug);
        await act.setDefaultFolder(user.token, user.slug, folder.id);
        return { user, folder };
      },
      request: ({ user, folder }) => ({ token: user.token, body: { id: folder.id } }),
      status: 200,
      after: async ({ user }) => {
        await act.publish(user.token);
        expect(await act.taxonomy(user.token, user.slug)).toMatchObject({ default_folder_id: null, unfiled_count: 1 });
      },
    }),
    deleteCase({
      name: "a folder other than the default, which stays",
      given: async () => {
        const folder = await act.createFolder(token, owner);
        await act.setDefaultFolder(token, owner, folder.id);
        return { folder, other: await act.createFolder(token, owner) };
      },
      request: ({ other }) => ({ token, body: { id: other.id } }),
      status: 200,
      after: async ({ folder }) => {
        expect((await act.taxonomy(token, owner)).default_folder_id).toBe(folder.id);
        await act.setDefaultFolder(token, owner, null);
      },
    }),
    deleteCase({
      name: "another user's",
      given: others,
      request: ({ folder }) => ({ token, body: { id: folder.id } }),
      status: 404,
      error: NO_FOLDER,
      after: unchanged,
    }),
    deleteCase({
      name: "one that doesn't exist",
      given: () => undefined,
      request: () => ({ token, body: { id: "fld_0000000000000000" } }),
      status: 404,
      error: NO_FOLDER,
    }),
  ]);

  testCases(() => service, setDefaultFolderRoute, [
    defaultCase({
      name: "a folder, for new reports that name none",
      given: () => act.createFolder(token, owner, uniqueName("Default")),
      request: ({ id }) => ({ token, body: { owner, folder_id: id } }),
      status: 200,
      check: (answer, { id }) => expect(answer).toEqual({ ok: true, default_folder_id: id }),
      after: async ({ id }) => {
        const [silent, naming, unfiled] = [uniqueName(), uniqueName(), uniqueName()];
        await act.publish(token, { name: silent });
        await act.publish(token, { name: naming, folder: "Named" });
        await act.publish(token, { name: unfiled, folder: "" });
        await act.publish(token);
        expect((await act.group(token, silent)).folder_id).toBe(id);
        expect((await act.group(token, naming)).folder).toBe("Named");
        expect((await act.group(token, unfiled)).folder_id).toBeNull();
        expect(await act.taxonomy(token, owner)).toMatchObject({ default_folder_id: id });
        expect(await folderOf(id)).toMatchObject({ item_count: 2 });
        await act.setDefaultFolder(token, owner, null);
      },
    }),
    defaultCase({
      name: "a folder: new versions stay with their report",
      given: async () => ({
        ...(await filedGroup(uniqueName("Filed"))),
        fallback: await act.createFolder(token, owner, uniqueName("Default")),
      }),
      request: ({ fallback }) => ({ token, body: { owner, folder_id: fallback.id } }),
      status: 200,
      after: async ({ name, id }) => {
        await act.publish(token, { name });
        expect((await act.group(token, name)).folder_id).toBe(id);
      },
    }),
    defaultCase({
      name: "null: no default folder",
      given: async () => act.setDefaultFolder(token, owner, (await act.createFolder(token, owner)).id),
      request: () => ({ token, body: { owner, folder_id: null } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, default_folder_id: null }),
      after: async () => {
        const name = uniqueName();
        await act.publish(token, { name });
        expect((await act.group(token, name)).folder_id).toBeNull();
      },
    }),
    defaultCase({
      name: "another user's folder",
      given: others,
      request: ({ folder }) => ({ token, body: { owner, folder_id: folder.id } }),
      status: 404,
      error: NO_FOLDER,
      after: async () => expect((await act.taxonomy(token, owner)).default_folder_id).toBeNull(),
    }),
    defaultCase({
      name: "a folder in another workspace of the caller's",
      given: async () => {
        const { slug, owner: head } = await service.build.organization();
        return { slug, head, folder: await act.createFolder(head.token, head.slug) };
      },
      request: ({ slug, head, folder }) => ({ token: head.token, body: { owner: slug, folder_id: folder.id } }),
      status: 404,
      error: NO_FOLDER,
    }),
    defaultCase({
      name: "for another user's workspace",
      given: others,
      request: ({ slug, folder }) => ({ token, body: { owner: slug, folder_id: folder.id } }),
      status: 404,
      error: /^Workspace ".*" not found/,
      after: unchanged,
    }),
    defaultCase({
      name: "no folder_id",
      given: () => undefined,
      request: () => ({ token, body: { owner } }),
      status: 400,
      error: "folder_id is required",
    }),
  ]);
});
