import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
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
  type ResponseOf,
  renameDrawerRoute,
  renameFolderRoute,
  renameTagRoute,
  type searchRoute,
  setDefaultFolderRoute,
  tagItemsRoute,
} from "../../client/routes.ts";
import { type About, refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { keys, taxonomyQuery } from "../api/queries.ts";
import { type ItemReference, referenceText } from "../api/references.ts";
import { slicesOf } from "./dropping.ts";
import type { CabinetKind } from "./entries.ts";
import type { Draft } from "./rows.ts";

const renameRoutes = { drawer: renameDrawerRoute, folder: renameFolderRoute, tag: renameTagRoute } as const;
const deleteRoutes = { drawer: deleteDrawerRoute, folder: deleteFolderRoute, tag: deleteTagRoute } as const;

/** What can be done to a cabinet; each settles when the cabinet shows it, and throws what the server says against it. */
export function useCabinetCalls(owner: string) {
  const queries = useQueryClient();
  return useMemo(() => buildCalls(queries, owner), [queries, owner]);
}

export type CabinetCalls = ReturnType<typeof useCabinetCalls>;

function buildCalls(queries: QueryClient, owner: string) {
  async function change<T>(call: Promise<T>, about: About): Promise<T> {
    try {
      return await call;
    } finally {
      // What did not work may have been done in part, or be about what is no longer there. Lists may take longer than
      // the cabinet, and whoever renames a folder does not wait for them.
      void refreshAbout(queries, owner, [about]);
      await queries.fetchQuery(taxonomyQuery(owner)).catch(() => undefined);
    }
  }

  async function inSlices(items: readonly ItemReference[], send: (slice: ItemReference[]) => Promise<unknown>) {
    for (const slice of slicesOf(items)) await send(slice);
  }

  return {
    /** Resolves to the id. */
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

    /** Below another tag or into a drawer; null for the top. */
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

    /** Null for no folder. What has been filed when a later slice fails stays filed. */
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

    /** Where reports are filed that a list shows now: by name or code. */
    knownFolders: () => foldersOnScreen(queries, owner),
  };
}

type Page = ResponseOf<typeof searchRoute>;

/** What has not been on screen lately may have been filed elsewhere since. */
function foldersOnScreen(queries: QueryClient, owner: string): ReadonlyMap<string, string | null> {
  const pages = queries.getQueriesData<Page>({
    queryKey: keys.items(owner),
    type: "active",
    predicate: ({ state }) => !state.isInvalidated,
  });
  const items = pages.flatMap(([, page]) => page?.items ?? []);
  return new Map(items.map((item) => [referenceText(item), item.folder_id]));
}
