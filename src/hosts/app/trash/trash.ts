import {
  protectRoute,
  purgeTrashRoute,
  restoreTrashRoute,
  type TrashEntryView,
  trashRoute,
} from "../../../contract/trash/trash.ts";
import type { TrashEntry } from "../../../domain/trash/ports.ts";
import type { Protection } from "../../../domain/trash/protection.ts";
import type { Trash } from "../../../domain/trash/trash.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

export function mountTrash(mount: Mount, trash: Trash & { protection: Protection }): void {
  mount.guarded(trashRoute, async (caller, query) => {
    const { entries, nextCursor, days, storedBytes, allowance } = await trash.page(caller, query);
    return {
      owner: query.owner,
      entries: entries.map(entryView),
      next_cursor: nextCursor,
      days,
      stored_bytes: storedBytes,
      allowance_bytes: allowance,
    };
  });

  mount.guarded(restoreTrashRoute, async (caller, { ids, name }) => ({
    ok: true,
    restored: (await trash.restore(caller, ids, name)).map(({ itemId: _, ...restored }) => restored),
  }));

  mount.guarded(purgeTrashRoute, async (caller, { ids = [], owner }) => ({
    ok: true,
    purged: await (owner === undefined ? trash.purge(caller, ids) : trash.empty(caller, owner)),
  }));

  mount.guarded(protectRoute, async (caller, { protected: isProtected, ...named }) => {
    await trash.protection.set(caller, referenceOf(named), isProtected);
    return { ok: true, protected: isProtected };
  });
}

const entryView = (entry: TrashEntry): TrashEntryView => ({
  id: entry.id,
  kind: entry.kind,
  name: entry.name,
  code: entry.code,
  title: entry.title,
  version_no: entry.versionNo,
  versions: entry.versions,
  size: entry.size,
  deleted_at: toIso(entry.deletedAt),
  expires_at: toIso(entry.expiresAt),
  reason: entry.reason,
  deleted_by: entry.deletedBy && { slug: entry.deletedBy.slug, display_name: entry.deletedBy.displayName },
  free_name: entry.freeName,
});
