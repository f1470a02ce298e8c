import type { Authorized } from "../model/access.ts";
import type { Instant, Membership, Role, Tag, Visibility } from "../model/entities.ts";

export const SORTS = ["updated", "created", "title", "name"] as const;
export type Sort = (typeof SORTS)[number];

/** The order of the results. Reports with equal keys are ordered by ID. */
export interface SearchOrder {
  by: Sort;
  /** Whether the newest time or the last letter comes first. */
  isDescending: boolean;
}

/** The last report of a page. The next page begins after it. */
export interface SearchPlace {
  key: string | number;
  id: number;
}

/** A place in the cabinet; null for unfiled reports. */
export type RequestedPlace = { folderId: string } | { drawerId: string } | null;

/** One page of a search in one workspace, for a member of it. */
export interface Search {
  workspaceId: string;
  reader: { userId: string; role: Role };
  /** Folded words. A report has to contain all of them. */
  words: readonly string[];
  /** Undefined for any place. */
  place: RequestedPlace | undefined;
  /** A report has to have all of these tags. */
  tagIds: readonly string[];
  /** Whether a report with a descendant of a tag matches too. */
  withSubtrees: boolean;
  isUntagged: boolean;
  visibility: Visibility | undefined;
  /** The slugs of the users of whom one has published a report first; undefined for anyone. */
  authors: readonly string[] | undefined;
  /** Only reports updated at or after this time. */
  since: Instant | undefined;
  /** Only reports updated before this time. */
  until: Instant | undefined;
  order: SearchOrder;
  after: SearchPlace | undefined;
  limit: number;
}

export interface FoundItem {
  id: number;
  name: string | null;
  code: string;
  title: string;
  versionCount: number;
  visibility: Visibility;
  currentVisibility: Visibility;
  folderId: string | null;
  drawerId: string | null;
  /** The digest of the current version's thumbnail; null if it has none. */
  thumbnail: string | null;
  tags: Tag[];
  /** Null if the account was deleted. */
  creator: { slug: string; displayName: string | null } | null;
  createdAt: Instant;
  updatedAt: Instant;
}

export interface SearchPage {
  items: FoundItem[];
  /** Undefined on the last page. */
  next: SearchPlace | undefined;
  /** The number of reports that the search had to check because the index lacks them. */
  unindexed: number;
}

/** Reports of a workspace, for a member of it. */
export interface RequestedItems extends Pick<Search, "workspaceId" | "reader"> {
  names: readonly string[];
  /** Codes of any versions. */
  codes: readonly string[];
}

export type RequestedLargest = Pick<Search, "workspaceId" | "reader" | "limit">;

export interface LargestItem extends FoundItem {
  /** Bytes of all versions that the reader may read. */
  size: number;
  creatorId: string;
}

/** Reads reports of one workspace that its reader may read. */
export interface ItemsStore {
  /** Returns the requested reports, by name first, then by code, each once. */
  findItems(requested: RequestedItems): Promise<FoundItem[]>;
  /** Returns the reports that take up the most space, largest first. */
  listLargest(requested: RequestedLargest): Promise<LargestItem[]>;
}

/** The parameters of a search, in the words of the API. */
export interface SavedQuery {
  q?: string | undefined;
  folder_id?: string | undefined;
  drawer_id?: string | undefined;
  tag_id?: string[] | undefined;
  tag_scope?: "tag" | "subtree" | undefined;
  visibility?: Visibility | undefined;
  author?: string[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
  sort?: Sort | `-${Sort}` | undefined;
}

/** A search that a user keeps. */
export interface SavedFilter {
  id: string;
  title: string;
  query: SavedQuery;
  createdAt: Instant;
}

/** Names a filter of a user, in a workspace that they may still use. */
interface OwnFilter {
  id: string;
  userId: string;
  cabinets: Authorized<"modify", readonly string[]>;
}

export interface SavedFilterStore {
  /** Returns a user's filters, oldest first. */
  listFilters(of: { workspaceId: string; userId: string }): Promise<SavedFilter[]>;
  /** Adds a filter. Returns false if the user has reached the limit. */
  addFilter(added: {
    workspace: Authorized<"modify", Membership>;
    userId: string;
    filter: SavedFilter;
    limit: number;
  }): Promise<boolean>;
  /** Changes a title. Returns the workspace; undefined if there is no such filter. */
  renameFilter(change: OwnFilter & { title: string }): Promise<string | undefined>;
  /** Removes a filter. Returns the workspace; undefined if there is no such filter. */
  removeFilter(filter: OwnFilter): Promise<string | undefined>;
}

export interface SearchStore {
  /** Returns one page. Throws `NotFound` for a folder, drawer or tag that isn't in the workspace. */
  search(search: Search): Promise<SearchPage>;
  /** Adds recent changes to the index. Returns how many, 0 if it lacks none. */
  updateIndex(): Promise<number>;
}
