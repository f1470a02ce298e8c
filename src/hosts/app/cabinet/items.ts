import { fileItemsRoute, tagItemsRoute } from "../../../contract/cabinet/items.ts";
import type { BodyOf } from "../../../contract/model/route.ts";
import type { Items } from "../../../domain/cabinet/items.ts";
import type { TagMode } from "../../../domain/cabinet/ports.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

export function mountItems(mount: Mount, items: Items): void {
  mount.guarded(fileItemsRoute, async (caller, { items: named, folder_id }) => {
    const { updated, undo } = await items.setFolder(caller, named.map(referenceOf), folder_id);
    return {
      ok: true,
      updated,
      undo: undo.map(({ references, folderId }) => ({ items: references, folder_id: folderId })),
    };
  });

  mount.guarded(tagItemsRoute, async (caller, input) => {
    const { updated, undo } = await items.setTags(caller, input.items.map(referenceOf), changeOf(input));
    return {
      ok: true,
      updated,
      undo: undo.map(({ references, mode, tagIds }) => ({ items: references, [mode]: tagIds })),
    };
  });
}

/** Returns the one of the three fields that is set. */
function changeOf({ add, remove, set = [] }: BodyOf<typeof tagItemsRoute>): { mode: TagMode; tagIds: string[] } {
  if (add !== undefined) return { mode: "add", tagIds: add };
  return remove === undefined ? { mode: "set", tagIds: set } : { mode: "remove", tagIds: remove };
}
