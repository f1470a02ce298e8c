import type { VersionOfItem } from "../model/access.ts";
import type { Version } from "../model/entities.ts";

/** A group with its current version, and whose it is. */
export interface LiveItem extends VersionOfItem {
  ownerSlug: string;
  ownerName: string | null;
}
/** What live links show; each a single keyed read. */
export interface LiveStore {
  findLiveByName(name: string): Promise<LiveItem | undefined>;
  findLiveById(itemId: number): Promise<LiveItem | undefined>;
}

export interface VersionLister {
  /** Up to `limit` versions, those with a number below `beforeNo` where that is given, newest first. */
  listVersions(page: { itemId: number; beforeNo: number | undefined; limit: number }): Promise<Version[]>;
}
