import type { ResponseOf } from "../../../contract/model/route.ts";
import { groupRoute, renameRoute, setLatestRoute, type VersionEntry } from "../../../contract/reports/named-reports.ts";
import type { Version } from "../../../domain/model/entities.ts";
import type { NamedReportDetail, NamedReports } from "../../../domain/reports/named-reports.ts";
import { arrayPieces, streamedJson } from "../../http/json-stream.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountNamedReports(mount: Mount, reports: NamedReports): void {
  mount.guarded(groupRoute, async (caller, { name }) =>
    streamedJson(namedReportPieces(await reports.describe(caller, name))),
  );

  mount.guarded(renameRoute, async (caller, { name, newName }) => {
    await reports.rename(caller, name, newName);
    return { ok: true, name: newName };
  });

  mount.guarded(setLatestRoute, async (caller, { name, code, expected_current_code: expectedCode }) => {
    await reports.rollBack(caller, { name, code, expectedCode });
    return { ok: true, name, current_code: code };
  });
}

async function* namedReportPieces({
  item,
  ownerSlug,
  versions,
  folder,
  label,
  tags,
}: NamedReportDetail): AsyncGenerator<string> {
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
