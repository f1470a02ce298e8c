import {
  type RetentionPreviewView,
  type RetentionRuleView,
  retentionRoute,
  setRetentionRoute,
} from "../../../contract/trash/retention.ts";
import type { RetentionPlace, RetentionRule } from "../../../domain/trash/ports.ts";
import type { Retention, RetentionPreview } from "../../../domain/trash/retention.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

const NOTHING: RetentionPreview = { reports: 0, versions: 0, bytes: 0, entries: [] };

export function mountRetention(mount: Mount, retention: Retention): void {
  mount.guarded(retentionRoute, async (caller, { owner }) => ({
    owner,
    rules: (await retention.list(caller, owner)).map(ruleView),
  }));

  mount.guarded(setRetentionRoute, async (caller, { owner, keep = null, days = null, dry_run: isDry, ...named }) => {
    const place = placeOf(named);
    const isOff = keep === null && days === null;
    if (isDry === true) {
      const preview = await retention.preview(caller, owner, { place, keep, days });
      return { ok: true, keep, days, would_delete: previewView(isOff ? NOTHING : preview) };
    }
    if (isOff) await retention.remove(caller, owner, place);
    else await retention.set(caller, owner, { place, keep, days });
    return { ok: true, keep, days, would_delete: null };
  });
}

function placeOf({
  folder_id,
  tag_id,
}: {
  folder_id?: string | undefined;
  tag_id?: string | undefined;
}): RetentionPlace {
  if (folder_id !== undefined) return { kind: "folder", id: folder_id };
  return tag_id === undefined ? { kind: "workspace" } : { kind: "tag", id: tag_id };
}

const ruleView = ({ place, title, keep, days, setBy, setAt }: RetentionRule): RetentionRuleView => ({
  folder_id: place.kind === "folder" ? place.id : null,
  tag_id: place.kind === "tag" ? place.id : null,
  title,
  keep,
  days,
  set_by: setBy && { slug: setBy.slug, display_name: setBy.displayName },
  set_at: toIso(setAt),
});

const previewView = ({ entries, ...sums }: RetentionPreview): RetentionPreviewView => ({
  ...sums,
  entries: entries.map(({ name, code, title, versionNo, size, createdAt }) => ({
    name,
    code,
    title,
    version_no: versionNo,
    size,
    created_at: toIso(createdAt),
  })),
});
