import type { Item, Membership, Role, Version, Visibility } from "./entities.ts";
import { FOR_ANYONE, type PersonalFacts, readingRule } from "./reading-rule.ts";

/** Returns whether a member manages the whole workspace: owners and admins do. */
export const governs = ({ role }: Pick<Membership, "role">) => role !== "member";

/** How a report and one of its versions are shared with one reader personally. */
export interface Sharing {
  item: PersonalFacts<boolean>;
  version: PersonalFacts<boolean>;
}

/** A version and the report it belongs to. */
export interface VersionOfItem {
  item: Item;
  version: Version;
  /** How it is shared with the person for whom it was looked up. Without it, only members of its workspace see it. */
  sharing?: Sharing | undefined;
  /** The slug of its workspace, if it was looked up for a person. */
  ownerSlug?: string | undefined;
}

/** A version with how it is shared with the person for whom it was looked up. */
export interface FoundVersion extends Version, Pick<VersionOfItem, "sharing"> {}

/** How a person relates to a workspace. */
export interface Standing {
  userId: string;
  /** Null for people who are not members. */
  role: Role | null;
  sharing: Sharing;
}

/** How a person relates to one version. */
export interface VersionStanding extends Standing {
  itemCreatorId: string;
  versionCreatorId: string;
  visibility: Visibility;
}

/** The reading rule for one person and one report. */
export const rule = readingRule<boolean>({
  all: (conditions) => conditions.every(Boolean),
  any: (conditions) => conditions.some(Boolean),
});

const NOT_SHARED: PersonalFacts<boolean> = { isNamed: false, isWithColleagues: false };
/** The facts of what is not shared with anyone by name. */
export const UNSHARED: Sharing = { item: NOT_SHARED, version: NOT_SHARED };

const readerFacts = ({ role }: Pick<Standing, "role">) => ({
  isMember: role !== null,
  governs: role !== null && governs({ role }),
});

const subjectFacts = (
  userId: string,
  { creatorId, visibility }: Pick<Version, "creatorId" | "visibility">,
  personal: PersonalFacts<boolean>,
) => ({
  isOneOf: (visibilities: readonly Visibility[]) => visibilities.includes(visibility),
  isByReader: creatorId === userId,
  ...personal,
});

/** Returns what the rule asks about one version. */
export const versionFacts = (standing: VersionStanding) => ({
  reader: readerFacts(standing),
  item: { isByReader: standing.itemCreatorId === standing.userId, isNamed: standing.sharing.item.isNamed },
  version: subjectFacts(
    standing.userId,
    { creatorId: standing.versionCreatorId, visibility: standing.visibility },
    standing.sharing.version,
  ),
});

/** Returns what the rule asks about a version as part of its report. */
export const itemFacts = (standing: Standing, { item, version }: VersionOfItem) => ({
  reader: readerFacts(standing),
  item: subjectFacts(standing.userId, item, standing.sharing.item),
  version: subjectFacts(standing.userId, version, standing.sharing.version),
});

/** Returns whether a person may read one version by its version link. */
export const mayRead = (standing: VersionStanding): boolean => rule.allowsVersion(versionFacts(standing));

/** Returns whether a person may see a version as part of its report. */
export const mayReadAsItem = (standing: Standing, found: VersionOfItem): boolean =>
  rule.allowsItem(itemFacts(standing, found));

/** People who are not signed in. */
const ANYONE: Standing = { userId: "", role: null, sharing: UNSHARED };

/** Returns whether people may read a version by its version link without signing in. */
export const isForAnyone = (visibility: Visibility): boolean => FOR_ANYONE.includes(visibility);

/** Returns whether people may read a version as part of its report without signing in. */
export const isPublic = (found: VersionOfItem): boolean => mayReadAsItem(ANYONE, found);
