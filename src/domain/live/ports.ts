import type { VersionOfItem } from "../model/access.ts";

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
