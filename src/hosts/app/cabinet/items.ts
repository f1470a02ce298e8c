import { deleteItemsRoute, fileItemsRoute, restoreItemsRoute, tagItemsRoute } from "../../../contract/cabinet/items.ts";
import type { BodyOf } from "../../../contract/model/route.ts";
import type { Items } from "../../../domain/cabinet/items.ts";
import type { TagMode } from "../../../domain/cabinet/ports.ts";
import type { Deletions } from "../../../domain/reports/deletions.ts";
import type { Reference } from "../../../domain/reports/item-references.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountItems(mount: Mount, items: Items, deletions: Deletions): void {
  mount.guarded(fileItemsRoute, async (caller, { items: named, folder_id }) => ({
    ok: true,
    updated: await items.setFolder(caller, named.map(toReference), folder_id),
  }));

  mount.guarded(tagItemsRoute, async (caller, input) => ({
    ok: true,
    updated: await items.setTags(caller, input.items.map(toReference), changeOf(input)),
  }));

  mount.guarded(deleteItemsRoute, async (caller, { items: named }) => {
    const { deleted, undo } = await deletions.remove(caller, named.map(toReference));
    return { ok: true, deleted, undo: { id: undo.id, expires_at: toIso(undo.expiresAt) } };
  });

  mount.guarded(restoreItemsRoute, async (caller, { undo }) => ({
    ok: true,
    restored: await deletions.restore(caller, undo),
  }));
}

const toReference = ({ name, code = "" }: { name?: string | undefined; code?: string | undefined }): Reference =>
  name === undefined ? { code } : { name };

/** Returns the one of the three fields that is set. */
function changeOf({ add, remove, set = [] }: BodyOf<typeof tagItemsRoute>): { mode: TagMode; tagIds: string[] } {
  if (add !== undefined) return { mode: "add", tagIds: add };
  return remove === undefined ? { mode: "set", tagIds: set } : { mode: "remove", tagIds: remove };
}
