import type { Instant, Role, Tag, Visibility } from "../model/entities.ts";

export const SORTS = ["updated", "created", "title", "name"] as const;
export type Sort = (typeof SORTS)[number];

/** An order in which items are read, ties broken by the item's id. */
export interface SearchOrder {
  by: Sort;
  /** Whether the greatest comes first: for times the newest, for texts the last letter. */
  isDescending: boolean;
}

/** The last item of a page: the next one begins after it. */
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
  /** Folded; all have to be found. */
  words: readonly string[];
  /** Undefined for any place. */
  place: RequestedPlace | undefined;
  /** A report has to have all of these tags. */
  tagIds: readonly string[];
  /** Whether a tag stands for its descendants too. */
  withSubtrees: boolean;
  isUntagged: boolean;
  visibility: Visibility | undefined;
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
  tags: Tag[];
  createdAt: Instant;
  updatedAt: Instant;
}

export interface SearchPage {
  items: FoundItem[];
  /** Undefined on the last page. */
  next: SearchPlace | undefined;
}

export interface SearchStore {
  /** Throws `NotFound` for a folder, drawer or tag that is none of the workspace's. */
  search(search: Search): Promise<SearchPage>;
}
