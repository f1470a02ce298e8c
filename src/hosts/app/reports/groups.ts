import type { ResponseOf } from "../../../contract/model/route.ts";
import {
  deleteGroupRoute,
  groupRoute,
  renameRoute,
  setLatestRoute,
  type VersionEntry,
} from "../../../contract/reports/groups.ts";
import type { Version } from "../../../domain/model/entities.ts";
import type { GroupDetail, Groups } from "../../../domain/reports/groups.ts";
import { arrayPieces, streamedJson } from "../../http/json-stream.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountGroups(mount: Mount, groups: Groups): void {
  mount.guarded(groupRoute, async (caller, { name }) => streamedJson(groupPieces(await groups.describe(caller, name))));

  mount.guarded(renameRoute, async (caller, { name, newName }) => {
    await groups.rename(caller, name, newName);
    return { ok: true, name: newName };
  });

  mount.guarded(setLatestRoute, async (caller, { name, code, expected_current_code: expectedCode }) => {
    await groups.setLatest(caller, { name, code, expectedCode });
    return { ok: true, name, current_code: code };
  });

  mount.guarded(deleteGroupRoute, async (caller, { name }) => ({
    ok: true,
    deleted: await groups.remove(caller, name),
  }));
}

async function* groupPieces({ item, ownerSlug, versions, folder, label, tags }: GroupDetail): AsyncGenerator<string> {
  const rest: Omit<ResponseOf<typeof groupRoute>, "versions"> = {
    name: item.name ?? "",
    owner_slug: ownerSlug,
    current_code: item.currentCode,
    visibility: item.visibility,
    created_at: toIso(item.createdAt),
    folder: label,
    folder_id: item.folderId,
    drawer_id: folder?.drawerId ?? null,
    folder_changed_at: item.folderChangedAt === null ? null : toIso(item.folderChangedAt),
    tags,
  };
  yield `${JSON.stringify(rest).slice(0, -1)},"versions":[`;
  yield* arrayPieces(versions, versionEntry);
  yield "]}";
}

const versionEntry = ({ code, title, versionNo, createdAt, visibility, storage }: Version): VersionEntry => ({
  code,
  title,
  version_no: versionNo,
  created_at: toIso(createdAt),
  visibility,
  storage,
});
