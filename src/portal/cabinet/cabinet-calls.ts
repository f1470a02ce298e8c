import type { QueryClient } from "@tanstack/react-query";
import {
  type BodyInput,
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

/** Undoes a change of reports. */
type Undo = () => Promise<void>;

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

  /** Changes reports, and returns what undoes it; undefined if nothing changed. If a call fails, the earlier ones stay. */
  async function changeItems<Body>(
    items: readonly ItemReference[],
    bodyOf: (slice: ItemReference[]) => Body,
    send: (body: Body) => Promise<{ undo: readonly Body[] }>,
  ): Promise<Undo | undefined> {
    const bodies: Body[] = [];
    const sendAll = async () => {
      for (const slice of slicesOf(items)) bodies.push(...(await send(bodyOf(slice))).undo);
    };
    const undoAll = async () => {
      for (const body of bodies) await send(body);
    };
    await change(sendAll(), "items");
    return bodies.length === 0 ? undefined : () => change(undoAll(), "items");
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

    /** Null unfiles. */
    file: (items: readonly ItemReference[], folderId: string | null) =>
      changeItems<BodyInput<typeof fileItemsRoute>>(
        items,
        (slice) => ({ items: slice, folder_id: folderId }),
        (body) => api.call(fileItemsRoute, { body }),
      ),

    tag: (items: readonly ItemReference[], id: string) =>
      changeItems<BodyInput<typeof tagItemsRoute>>(
        items,
        (slice) => ({ items: slice, add: [id] }),
        (body) => api.call(tagItemsRoute, { body }),
      ),
  };
}

export type CabinetCalls = ReturnType<typeof buildCalls>;
