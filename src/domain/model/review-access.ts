import { mayControlItem, mayReadItem, mayReadVersion, membershipIn, type VersionOfItem } from "./access.ts";
import { grant } from "./authorized.ts";
import type { Caller, Instant } from "./entities.ts";

/** As much of a report's threads as one person may see. */
export interface ReviewScope {
  itemId: number;
  workspaceId: string;
  /** Empty for guests. */
  userId: string;
  isMember: boolean;
  /** The only version whose threads they see; null for those of all. */
  onlyVersionNo: number | null;
  /** Versions that they may not read, and whose threads would quote them. */
  hiddenVersionNos: readonly number[];
  /** Whether they control the report: they may delete any comment, and see threads of deleted versions that others could not read. */
  mayManage: boolean;
  /** For guests of a link that follows the report: when the oldest version was published that they may see. Otherwise null. */
  guestSince: Instant | null;
}

/** A report with its current version, and the version that a request or a thread names. */
export interface FoundForReview {
  current: VersionOfItem;
  shown: VersionOfItem | undefined;
}

/** Returns whether the caller may read the report, or at least the version that is shown. */
export const mayReview = (caller: Caller, { current, shown }: FoundForReview): boolean =>
  mayReadItem(caller, current) || (shown !== undefined && mayReadVersion(caller, shown));

/**
 * Returns what the caller may see of a report's threads: those of all versions, or of the only one that they may read.
 */
export function authorizeReviews(caller: Caller, found: FoundForReview, hiddenVersionNos: readonly number[]) {
  if (!mayReview(caller, found)) return undefined;
  const { current, shown } = found;
  const isWhole = mayReadItem(caller, current);
  const { id: itemId, workspaceId } = current.item;
  return grant<"read", ReviewScope>({
    itemId,
    workspaceId,
    userId: caller.userId,
    isMember: membershipIn(caller, workspaceId) !== undefined,
    onlyVersionNo: isWhole ? null : (shown?.version.versionNo ?? null),
    hiddenVersionNos,
    mayManage: mayControlItem(caller, current.item),
    guestSince: null,
  });
}

/**
 * Returns what guests may see of a report's threads, given what their open link shows: those of the versions that a link has
 * shown which follows the report, or of the only version. `since` is when the oldest of these was published, or null.
 */
export function authorizeGuestReviews({ item, version }: VersionOfItem, since: Instant | null) {
  return grant<"read", ReviewScope>({
    itemId: item.id,
    workspaceId: item.workspaceId,
    userId: "",
    isMember: false,
    onlyVersionNo: since === null ? version.versionNo : null,
    hiddenVersionNos: [],
    mayManage: false,
    guestSince: since,
  });
}
