import { deleteItemsRoute, restoreItemsRoute } from "../../../contract/cabinet/items.ts";
import { removeSamplesRoute } from "../../../contract/publishing/samples.ts";
import { deleteCodeRoute } from "../../../contract/reports/delete-code.ts";
import { deleteGroupRoute } from "../../../contract/reports/named-reports.ts";
import type { Deleting, Undo } from "../../../domain/trash/deleting.ts";
import type { Trash } from "../../../domain/trash/trash.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

export function mountDeleting(
  mount: Mount,
  { deleting, undo: undoDeletion }: Pick<Trash, "undo"> & { deleting: Deleting },
): void {
  mount.guarded(deleteGroupRoute, async (caller, { name }) => ({
    ok: true,
    deleted: await deleting.deleteReport(caller, name),
  }));

  mount.guarded(deleteCodeRoute, async (caller, { code }) => ({
    ok: true,
    deleted: await deleting.deleteVersion(caller, code),
  }));

  mount.guarded(deleteItemsRoute, async (caller, { items }) => {
    const { deleted, undo } = await deleting.deleteReports(caller, items.map(referenceOf));
    return { ok: true, deleted, undo: undoEntry(undo) };
  });

  mount.guarded(removeSamplesRoute, async (caller, { owner }) => {
    const { deleted, undo } = await deleting.deleteSamples(caller, owner);
    return { ok: true, removed: deleted, undo: undoEntry(undo) };
  });

  mount.guarded(restoreItemsRoute, async (caller, { undo }) => ({
    ok: true,
    restored: await undoDeletion(caller, undo),
  }));
}

const undoEntry = (undo: Undo | null) => undo && { id: undo.id, expires_at: toIso(undo.expiresAt) };
