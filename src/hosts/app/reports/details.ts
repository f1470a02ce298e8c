import {
  downloadFileRoute,
  type ItemDetailEntry,
  type ItemVersionEntry,
  itemRoute,
  itemVersionsRoute,
  previewsRoute,
  type ReportEntry,
  reportRoute,
} from "../../../contract/reports/details.ts";
import type { Links } from "../../../domain/model/links.ts";
import { titleOf } from "../../../domain/model/titles.ts";
import type { ControlledVersion, Details, ItemDetail, ReportDetail } from "../../../domain/reports/details.ts";

import type { Reading } from "../../../domain/reports/reading.ts";
import { mediaTypeOf } from "../../http/media-types.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "./references.ts";

type ItemLinks = Pick<Links, "live" | "version" | "thumbnail">;

interface DetailsDependencies {
  details: Details;
  reading: Pick<Reading, "open">;
  links: ItemLinks;
}

export function mountDetails(mount: Mount, { details, reading, links }: DetailsDependencies): void {
  mount.guarded(itemRoute, async (caller, query) =>
    itemEntry(await details.describe(caller, referenceOf(query)), links),
  );

  mount.guarded(itemVersionsRoute, async (caller, { before, limit, ...named }) => {
    const page = await details.versions(caller, referenceOf(named), { beforeNo: before, limit });
    return {
      versions: page.versions.map((version) => versionEntry(version, links)),
      next_before: page.nextBefore,
    };
  });

  mount.guarded(reportRoute, async (caller, { code }, session) =>
    reportEntry(await details.report(caller, code, session), links),
  );

  mount.guarded(previewsRoute, async (caller, { code: codes }, session) => ({
    previews: await details.previews(caller, codes, session),
  }));

  mount.guarded(downloadFileRoute, async (caller, { code, path }) => {
    const { content, digest } = await reading.open(caller, code, path);
    // A published file has a name that needs no quoting.
    const disposition = `attachment; filename="${path}"`;
    return new Response(content, {
      headers: {
        "Content-Type": downloadFileRoute.mediaType,
        "Content-Disposition": disposition,
        "Repr-Digest": `sha-256=:${Buffer.from(digest, "base64url").toString("base64")}:`,
      },
    });
  });
}

function itemEntry(detail: ItemDetail, links: ItemLinks): ItemDetailEntry {
  const { item, version, ownerSlug, folder } = detail;
  const { name, visibility } = item;
  const group =
    name === null
      ? { kind: "report" as const }
      : { kind: "group" as const, name, live_url: links.live(name, ownerSlug, visibility) };
  return {
    ...group,
    code: version.code,
    title: titleOf(detail),
    display_title: item.displayTitle,
    document_title: version.title,
    owner_slug: ownerSlug,
    visibility,
    current_visibility: version.visibility,
    storage: version.storage,
    folder: detail.label,
    folder_id: folder?.id ?? null,
    drawer_id: folder?.drawerId ?? null,
    tags: detail.tags,
    version_count: detail.versionCount,
    created_at: toIso(item.createdAt),
    updated_at: toIso(item.updatedAt),
    url: links.version(version.code, version.visibility),
    thumbnail_url: detail.hasThumbnail ? links.thumbnail(version.code) : null,
    may_control: detail.mayControl,
  };
}

const versionEntry = (version: ControlledVersion, links: ItemLinks): ItemVersionEntry => ({
  code: version.code,
  title: version.title,
  note: version.note,
  version_no: version.versionNo,
  created_at: toIso(version.createdAt),
  visibility: version.visibility,
  storage: version.storage,
  size: version.size,
  file_count: version.fileCount,
  creator: version.creator && { slug: version.creator.slug, display_name: version.creator.displayName },
  url: links.version(version.code, version.visibility),
  thumbnail_url: version.thumbnail === null ? null : links.thumbnail(version.code),
  may_control: version.mayControl,
});

const reportEntry = (
  { item, version, ownerSlug, files, note, warnings, hasThumbnail, previewUrl }: ReportDetail,
  links: ItemLinks,
): ReportEntry => ({
  code: version.code,
  title: titleOf({ item, version }),
  document_title: version.title,
  note,
  version_no: version.versionNo,
  name: item.name,
  owner_slug: ownerSlug,
  visibility: version.visibility,
  storage: version.storage,
  created_at: toIso(version.createdAt),
  warnings,
  size: files.reduce((sum, { size }) => sum + size, 0),
  files: files.map(({ path, size, digest }) => ({
    path,
    size,
    media_type: mediaTypeOf(path),
    sha256: Buffer.from(digest, "base64url").toString("hex"),
  })),
  url: links.version(version.code, version.visibility),
  thumbnail_url: hasThumbnail ? links.thumbnail(version.code) : null,
  preview_url: previewUrl,
});
