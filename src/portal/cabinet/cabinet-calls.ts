import type { QueryClient } from "@tanstack/react-query";
import {
  createDrawerRoute,
  createFolderRoute,
  createTagRoute,
  deleteDrawerRoute,
  deleteFolderRoute,
  deleteTagRoute,
  fileItemsRoute,
  moveFolderRoute,
  moveTagRoute,
  renameDrawerRoute,
  renameFolderRoute,
  renameTagRoute,
  setDefaultFolderRoute,
  tagItemsRoute,
} from "../../client/routes.ts";
import { type ChangeKind, refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { taxonomyQuery } from "../api/first-queries.ts";
import type { ItemReference } from "../api/references.ts";
import { slicesOf } from "./dropping.ts";
import type { CabinetKind } from "./entries.ts";
import type { Draft } from "./rows.ts";

const renameRoutes = { drawer: renameDrawerRoute, folder: renameFolderRoute, tag: renameTagRoute } as const;
const deleteRoutes = { drawer: deleteDrawerRoute, folder: deleteFolderRoute, tag: deleteTagRoute } as const;

/** Changes to a cabinet. Each resolves once the cabinet shows the change, and rejects with the server's error. */
export function buildCalls(queries: QueryClient, owner: string) {
  async function change<T>(call: Promise<T>, about: ChangeKind): Promise<T> {
    try {
      return await call;
    } finally {
      // A failed call may have taken effect in part, or concern something already deleted. Lists can take longer than
      // the cabinet, and renaming a folder doesn't wait for them.
      void refreshAbout(queries, owner, [about]);
      await queries.fetchQuery(taxonomyQuery(owner)).catch(() => undefined);
    }
  }

  async function inSlices(items: readonly ItemReference[], send: (slice: ItemReference[]) => Promise<unknown>) {
    for (const slice of slicesOf(items)) await send(slice);
  }

  return {
    /** Resolves to the new id. */
    async create({ kind, parentId }: Draft, title: string): Promise<string> {
      const made = { owner, title };
      if (kind === "drawer") return (await change(api.call(createDrawerRoute, { body: made }), "cabinet")).id;
      if (kind === "folder") {
        const body = { ...made, drawer_id: parentId };
        return (await change(api.call(createFolderRoute, { body }), "cabinet")).id;
      }
      return (await change(api.call(createTagRoute, { body: { ...made, parent_id: parentId } }), "cabinet")).id;
    },

    rename: (kind: CabinetKind, id: string, title: string) =>
      change(api.call(renameRoutes[kind], { body: { id, title } }), "cabinet"),

    /** Moves below a tag or into a drawer; null is the top level. */
    async move(kind: "folder" | "tag", id: string, parentId: string | null): Promise<void> {
      if (kind === "folder") {
        await change(api.call(moveFolderRoute, { body: { id, drawer_id: parentId } }), "cabinet");
      } else {
        await change(api.call(moveTagRoute, { body: { id, parent_id: parentId } }), "cabinet");
      }
    },

    async remove(kind: CabinetKind, id: string): Promise<void> {
      await change(api.call(deleteRoutes[kind], { body: { id } }), "cabinet");
    },

    setDefaultFolder: (id: string | null) =>
      change(api.call(setDefaultFolderRoute, { body: { owner, folder_id: id } }), "settings"),

    /** Null unfiles. If a later call fails, the reports filed by earlier ones stay filed. */
    file: (items: readonly ItemReference[], folderId: string | null) =>
      change(
        inSlices(items, (slice) => api.call(fileItemsRoute, { body: { items: slice, folder_id: folderId } })),
        "items",
      ),

    tag: (items: readonly ItemReference[], id: string) =>
      change(
        inSlices(items, (slice) => api.call(tagItemsRoute, { body: { items: slice, add: [id] } })),
        "items",
      ),

    untag: (items: readonly ItemReference[], id: string) =>
      change(
        inSlices(items, (slice) => api.call(tagItemsRoute, { body: { items: slice, remove: [id] } })),
        "items",
      ),
  };
}

export type CabinetCalls = ReturnType<typeof buildCalls>;
