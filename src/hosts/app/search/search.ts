import type { QueryOf, ResponseOf } from "../../../contract/model/route.ts";
import { type FoundItemEntry, searchRoute } from "../../../contract/search/search.ts";
import type { Links } from "../../../domain/model/links.ts";
import { type FoundItem, type RequestedPlace, type SearchOrder, SORTS } from "../../../domain/search/ports.ts";
import type { SearchQuery, SearchService } from "../../../domain/search/search.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export type ItemLinks = Pick<Links, "live" | "version" | "thumbnail">;
type Query = QueryOf<typeof searchRoute>;

/** The value of a filter for reports without a folder or a tag. */
const NONE = "none";

export function mountSearch(mount: Mount, search: SearchService, links: ItemLinks): void {
  mount.guarded(searchRoute, async (caller, query): Promise<ResponseOf<typeof searchRoute>> => {
    const { items, nextCursor } = await search.find(caller, toSearchQuery(query));
    return {
      items: items.map((item) => toEntry(item, query.owner, links)),
      next_cursor: nextCursor,
      searchedScope: query.owner,
      fullText: false,
    };
  });
}

function toSearchQuery(query: Query): SearchQuery {
  const { owner, q = "", tag_id = [], tag_scope, visibility, author, sort = "updated", limit, cursor } = query;
  return {
    ownerSlug: owner,
    q,
    place: toPlace(query),
    tagIds: [...new Set(tag_id)].filter((id) => id !== NONE),
    withSubtrees: tag_scope === "subtree",
    isUntagged: tag_id.includes(NONE),
    visibility,
    authors: author && [...new Set(author)],
    since: query.since,
    until: query.until,
    order: toOrder(sort),
    cursor,
    limit,
  };
}

function toPlace({ folder_id, drawer_id }: Query): RequestedPlace | undefined {
  if (folder_id === NONE || drawer_id === NONE) return null;
  if (folder_id !== undefined) return { folderId: folder_id };
  return drawer_id === undefined ? undefined : { drawerId: drawer_id };
}

/** Returns the order of a sort parameter. Times sort newest first, texts alphabetically. */
function toOrder(sort: NonNullable<Query["sort"]>): SearchOrder {
  const isReversed = sort.startsWith("-");
  const by = SORTS.find((candidate) => candidate === sort.replace("-", "")) ?? "updated";
  const isTime = by === "updated" || by === "created";
  return { by, isDescending: isTime !== isReversed };
}

/** Returns a report as the entry of a list. */
export function toEntry(item: FoundItem, ownerSlug: string, links: ItemLinks): FoundItemEntry {
  const { name, code, visibility } = item;
  return {
    kind: name === null ? "report" : "group",
    ...(name === null ? {} : { name }),
    code,
    title: item.title,
    version_count: item.versionCount,
    visibility,
    current_visibility: item.currentVisibility,
    folder_id: item.folderId,
    drawer_id: item.drawerId,
    tags: item.tags,
    creator: item.creator && { slug: item.creator.slug, display_name: item.creator.displayName },
    created_at: toIso(item.createdAt),
    updated_at: toIso(item.updatedAt),
    thumbnail_url: item.thumbnail === null ? null : links.thumbnail(code),
    url: name === null ? links.version(code, visibility) : links.live(name, ownerSlug, visibility),
  };
}
