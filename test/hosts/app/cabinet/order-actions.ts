import {
  createDrawerRoute,
  createFolderRoute,
  deleteDrawerRoute,
  deleteFolderRoute,
  moveFolderRoute,
  renameDrawerRoute,
  renameFolderRoute,
  setDefaultFolderRoute,
  taxonomyRoute,
} from "../../../../src/contract/cabinet/cabinet.ts";
import {
  deleteItemsRoute,
  fileItemsRoute,
  restoreItemsRoute,
  tagItemsRoute,
} from "../../../../src/contract/cabinet/items.ts";
import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "../../../../src/contract/cabinet/shortcuts.ts";
import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "../../../../src/contract/cabinet/tags.ts";
import type { BodyInput, ResponseOf } from "../../../../src/contract/model/route.ts";
import { type Service, uniqueName } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";

type Shortcut = BodyInput<typeof addShortcutRoute>;

/** Returns what the holder of a token does to organize reports, as one function each. */
export function orderActionsOf(service: Pick<Service, "client" | "baseUrl" | "contentUrl">) {
  const client = (token: string) => service.client(token);
  return {
    ...actionsOf(service),
    taxonomy: (token: string, owner: string) => client(token).call(taxonomyRoute, { query: { owner } }),
    createDrawer: (token: string, owner: string, title = "Drawer") =>
      client(token).call(createDrawerRoute, { body: { owner, title } }),
    renameDrawer: (token: string, id: string, title: string) =>
      client(token).call(renameDrawerRoute, { body: { id, title } }),
    deleteDrawer: (token: string, id: string) => client(token).call(deleteDrawerRoute, { body: { id } }),
    createFolder: (token: string, owner: string, title = "Folder", drawer_id: string | null = null) =>
      client(token).call(createFolderRoute, { body: { owner, title, drawer_id } }),
    renameFolder: (token: string, id: string, title: string) =>
      client(token).call(renameFolderRoute, { body: { id, title } }),
    moveFolder: (token: string, id: string, drawer_id: string | null) =>
      client(token).call(moveFolderRoute, { body: { id, drawer_id } }),
    deleteFolder: (token: string, id: string) => client(token).call(deleteFolderRoute, { body: { id } }),
    setDefaultFolder: (token: string, owner: string, folder_id: string | null) =>
      client(token).call(setDefaultFolderRoute, { body: { owner, folder_id } }),
    createTag: (token: string, owner: string, title = uniqueName("Tag"), parent_id: string | null = null) =>
      client(token).call(createTagRoute, { body: { owner, title, parent_id } }),
    renameTag: (token: string, id: string, title: string) =>
      client(token).call(renameTagRoute, { body: { id, title } }),
    moveTag: (token: string, id: string, parent_id: string | null) =>
      client(token).call(moveTagRoute, { body: { id, parent_id } }),
    deleteTag: (token: string, id: string) => client(token).call(deleteTagRoute, { body: { id } }),
    fileItems: (token: string, body: BodyInput<typeof fileItemsRoute>) => client(token).call(fileItemsRoute, { body }),
    tagItems: (token: string, body: BodyInput<typeof tagItemsRoute>) => client(token).call(tagItemsRoute, { body }),
    deleteItems: (token: string, items: BodyInput<typeof deleteItemsRoute>["items"]) =>
      client(token).call(deleteItemsRoute, { body: { items } }),
    restoreItems: (token: string, undo: string) => client(token).call(restoreItemsRoute, { body: { undo } }),
    shortcuts: async (token: string, owner: string) =>
      (await client(token).call(shortcutsRoute, { query: { owner } })).shortcuts,
    addShortcut: (token: string, body: Shortcut) => client(token).call(addShortcutRoute, { body }),
    removeShortcut: (token: string, body: Shortcut) => client(token).call(removeShortcutRoute, { body }),
  };
}

export type OrderActions = ReturnType<typeof orderActionsOf>;
export type TaxonomyAnswer = ResponseOf<typeof taxonomyRoute>;

/** Returns the counts of a taxonomy by title, without zeros. */
export const countsOf = ({ drawers, folders, tags, ...totals }: TaxonomyAnswer) => ({
  drawers: byTitle(drawers),
  folders: byTitle(folders),
  tags: byTitle(tags),
  items: totals.item_count,
  unfiled: totals.unfiled_count,
  untagged: totals.untagged_count,
});

const byTitle = (records: readonly { title: string; item_count: number }[]) =>
  Object.fromEntries(records.map(({ title, item_count }) => [title, item_count]));
