import type { ResponseOf } from "../../../contract/model/route.ts";
import { type SharedItemEntry, sharedRoute } from "../../../contract/sharing/shared.ts";
import type { Links } from "../../../domain/model/links.ts";
import { SHARED_SORTS, type SharedEntry } from "../../../domain/sharing/ports.ts";
import type { Shared } from "../../../domain/sharing/shared.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

type ItemLinks = Pick<Links, "live" | "version" | "thumbnail">;

export function mountShared(mount: Mount, shared: Shared, links: ItemLinks): void {
  mount.guarded(sharedRoute, async (caller, query): Promise<ResponseOf<typeof sharedRoute>> => {
    const { q = "", owner: ownerSlug, limit, cursor } = query;
    const sort = SHARED_SORTS.find((candidate) => candidate === query.sort.replace("-", "")) ?? "updated";
    // Times sort newest first, texts alphabetically.
    const isDescending = (sort === "updated") !== query.sort.startsWith("-");
    const page = await shared.list(caller, { q, ownerSlug, sort, isDescending, limit, cursor });
    return { items: page.entries.map((entry) => toEntry(entry, links)), next_cursor: page.nextCursor };
  });
}

function toEntry(entry: SharedEntry, links: ItemLinks): SharedItemEntry {
  const { name, code, isVersion, visibility, ownerSlug } = entry;
  return {
    kind: name === null ? "report" : "group",
    ...(name === null ? {} : { name }),
    code,
    is_version: isVersion,
    title: entry.title,
    visibility,
    owner_slug: ownerSlug,
    owner_name: entry.ownerName,
    shared_by: entry.sharedBy && { slug: entry.sharedBy.slug, display_name: entry.sharedBy.displayName },
    shared_at: toIso(entry.sharedAt),
    created_at: toIso(entry.createdAt),
    updated_at: toIso(entry.updatedAt),
    thumbnail_url: entry.thumbnail === null ? null : links.thumbnail(code),
    url: name === null || isVersion ? links.version(code, visibility) : links.live(name, ownerSlug, visibility),
  };
}
