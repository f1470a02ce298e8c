import { fileItemsRoute, tagItemsRoute } from "../../../contract/cabinet/items.ts";
import type { BodyOf } from "../../../contract/model/route.ts";
import type { Items } from "../../../domain/cabinet/items.ts";
import type { TagMode } from "../../../domain/cabinet/ports.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

export function mountItems(mount: Mount, items: Items): void {
  mount.guarded(fileItemsRoute, async (caller, { items: named, folder_id }) => ({
    ok: true,
    updated: await items.setFolder(caller, named.map(referenceOf), folder_id),
  }));

  mount.guarded(tagItemsRoute, async (caller, input) => ({
    ok: true,
    updated: await items.setTags(caller, input.items.map(referenceOf), changeOf(input)),
  }));
}

/** Returns the one of the three fields that is set. */
function changeOf({ add, remove, set = [] }: BodyOf<typeof tagItemsRoute>): { mode: TagMode; tagIds: string[] } {
  if (add !== undefined) return { mode: "add", tagIds: add };
  return remove === undefined ? { mode: "set", tagIds: set } : { mode: "remove", tagIds: remove };
}
