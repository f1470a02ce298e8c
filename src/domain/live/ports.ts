import type { FoundVersion, VersionOfItem } from "../model/access.ts";
import type { Person } from "../model/entities.ts";

/** A report with its current version and its owner. */
export interface LiveItem extends VersionOfItem {
  ownerSlug: string;
  ownerName: string | null;
}
/** Reads what live links show, each with a single keyed query. */
export interface LiveStore {
  findLiveByName(name: string): Promise<LiveItem | undefined>;
  findLiveById(itemId: number): Promise<LiveItem | undefined>;
}

export interface VersionLister {
  /** Returns up to `limit` versions, newest first, starting below `beforeNo` if it is defined. */
  listVersions(page: {
    itemId: number;
    beforeNo: number | undefined;
    limit: number;
    person?: Person | undefined;
  }): Promise<FoundVersion[]>;
}

export interface VersionReader extends VersionLister {
  /** Returns a version with how it is shared with the person, if there is one. */
  findVersion(code: string, person?: Person): Promise<VersionOfItem | undefined>;
}
