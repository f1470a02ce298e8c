import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "../../contract/groups.ts";
import type { Groups } from "../../domain/groups.ts";
import type { Mount } from "./mount.ts";
import { toIso } from "./time.ts";

export function mountGroups(mount: Mount, groups: Groups): void {
  mount.guarded(groupRoute, async (caller, { name }) => {
    const { item, ownerSlug, versions, folder, label, tags } = await groups.describe(caller, name);
    return {
      name,
      owner_slug: ownerSlug,
      current_code: item.currentCode,
      visibility: item.visibility,
      created_at: toIso(item.createdAt),
      versions: versions.map(({ code, title, versionNo, createdAt, visibility }) => ({
        code,
        title,
        version_no: versionNo,
        created_at: toIso(createdAt),
        visibility,
      })),
      folder: label,
      folder_id: item.folderId,
      drawer_id: folder?.drawerId ?? null,
      folder_changed_at: item.folderChangedAt === null ? null : toIso(item.folderChangedAt),
      tags,
    };
  });

  mount.guarded(renameRoute, async (caller, { name, newName }) => {
    await groups.rename(caller, name, newName);
    return { ok: true, name: newName };
  });

  mount.guarded(setLatestRoute, async (caller, { name, code }) => {
    await groups.setLatest(caller, name, code);
    return { ok: true, name, current_code: code };
  });

  mount.guarded(deleteGroupRoute, async (caller, { name }) => ({
    ok: true,
    deleted: await groups.remove(caller, name),
  }));
}
