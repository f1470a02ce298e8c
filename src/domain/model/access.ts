import type { Caller, Item, Membership, Reader, Role, Scope, Version, Visibility } from "./entities.ts";
import { forbidden } from "./failure.ts";
import { readingRule, sharedWith } from "./reading-rule.ts";

declare const allowance: unique symbol;

/** What an access check can allow: reading, changing, deleting and sharing, or administering the server. */
export type Action = "read" | "modify" | "control" | "administer";

/** Proves that an access check has passed; only the checks in this file create one. */
export type Authorized<Allowed extends Action, Thing> = Thing & { readonly [allowance]: Allowed };

/** A version and the report it belongs to. */
export interface VersionOfItem {
  item: Item;
  version: Version;
}

/** A version that its reader may see, with their membership in its workspace. */
export interface SeenVersion extends VersionOfItem {
  membership: Membership;
}

/** Reports of one workspace that are changed together. */
export interface ItemBatch {
  workspaceId: string;
  reader: Reader;
  itemIds: readonly number[];
}

/** Reports that were deleted together and can be restored. */
export interface Deletion {
  id: string;
  workspaceId: string;
  /** Who deleted them. */
  userId: string;
}

/** A report or version in the trash. */
export interface TrashedItem {
  id: string;
  workspaceId: string;
  itemId: number;
  /** Who made the report and, for a version, the version. */
  creatorIds: readonly string[];
}

/** What a person sees of a workspace's trash: all of it if they govern the workspace, otherwise what they made. */
export interface TrashView {
  workspaceId: string;
  reader: Reader;
}

const grant = <Allowed extends Action, Thing>(thing: Thing) => thing as Authorized<Allowed, Thing>;

const hasScope = (caller: Caller, scope: Scope) =>
  caller.scopes.has(scope) || (scope === "reports:read" && caller.scopes.has("reports:write"));

/** Throws `Forbidden` when the caller's token lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!hasScope(caller, scope))
    throw forbidden(`This access token doesn't have the scope ${scope}. Use a token that has it.`);
}

/** A person who administers the server. */
export interface Operator {
  /** Null for a command on the server's machine. */
  userId: string | null;
}

/** Proves that a caller may administer the server. */
export type Administrator = Authorized<"administer", Operator>;

/** Returns the caller as an operator. Throws `Forbidden` unless they have the operator role and signed in. */
export function requireOperator({ isOperator, userId }: Caller): Administrator {
  if (!isOperator) throw forbidden("Only operators of this server can do this. Ask one of them.");
  return grant<"administer", Operator>({ userId });
}

/** Returns the operator of a command: only they can read the settings with which it opens the database. */
export const operatorOfCommand = (): Administrator => grant<"administer", Operator>({ userId: null });

const membershipIn = (caller: Caller, workspaceId: string): Membership | undefined =>
  caller.memberships.find((membership) => membership.id === workspaceId);

/** Returns whether a member manages the whole workspace: owners and admins do. */
export const governs = ({ role }: Pick<Membership, "role">) => role !== "member";

/** Returns the caller as a reader in a workspace, with the fewest rights if they are not a member. */
export const readerIn = (caller: Caller, workspaceId: string): Reader => ({
  userId: caller.userId,
  role: membershipIn(caller, workspaceId)?.role ?? "member",
});

/** How a person relates to a workspace. */
export interface Standing {
  userId: string;
  /** Null for people who are not members. */
  role: Role | null;
  /** Whether the workspace belongs to a person who shares an organization with this one. */
  isColleague: boolean;
}

/** How a person relates to one version. */
export interface VersionStanding extends Standing {
  itemCreatorId: string;
  versionCreatorId: string;
  visibility: Visibility;
}

const rule = readingRule<boolean>({
  all: (conditions) => conditions.every(Boolean),
  any: (conditions) => conditions.some(Boolean),
});

const readerFacts = ({ role, isColleague }: Standing) => ({
  isMember: role !== null,
  isColleague,
  governs: role !== null && governs({ role }),
});

const subjectFacts = ({ userId }: Standing, { creatorId, visibility }: Pick<Version, "creatorId" | "visibility">) => ({
  isOneOf: (visibilities: readonly Visibility[]) => visibilities.includes(visibility),
  isByReader: creatorId === userId,
});

/** Returns whether a person may read one version by its version link. */
export const mayRead = (standing: VersionStanding): boolean =>
  rule.allowsVersion({
    reader: readerFacts(standing),
    item: { isByReader: standing.itemCreatorId === standing.userId },
    version: subjectFacts(standing, { creatorId: standing.versionCreatorId, visibility: standing.visibility }),
  });

/** Returns whether a person may see a version as part of its report. */
export const mayReadAsItem = (standing: Standing, { item, version }: VersionOfItem): boolean =>
  rule.allowsItem({
    reader: readerFacts(standing),
    item: subjectFacts(standing, item),
    version: subjectFacts(standing, version),
  });

/** How a caller relates to a workspace; undefined for workspaces that are not theirs. */
function standingOf(caller: Caller, workspaceId: string): Standing | undefined {
  const membership = membershipIn(caller, workspaceId);
  return membership && { userId: caller.userId, role: membership.role, isColleague: false };
}

/** Returns whether a caller may read one version. */
export function mayReadVersion(caller: Caller, { item, version }: VersionOfItem): boolean {
  const standing = standingOf(caller, item.workspaceId);
  if (standing === undefined) return false;
  const { visibility } = version;
  return mayRead({ ...standing, itemCreatorId: item.creatorId, versionCreatorId: version.creatorId, visibility });
}

/** People who are not signed in. */
const ANYONE: Standing = { userId: "", role: null, isColleague: false };
const FOR_ANYONE = sharedWith(readerFacts(ANYONE));

/** Returns whether people may read a version by its version link without signing in. */
export const isForAnyone = (visibility: Visibility): boolean => FOR_ANYONE.includes(visibility);

/** Returns whether people may read a version as part of its report without signing in. */
export const isPublic = (found: VersionOfItem): boolean => mayReadAsItem(ANYONE, found);

/** Returns whether a caller may see a named or unnamed report. */
export function mayReadItem(caller: Caller, found: VersionOfItem): boolean {
  const standing = standingOf(caller, found.item.workspaceId);
  return standing !== undefined && mayReadAsItem(standing, found);
}

/** Creators, owners and admins may delete and change visibility. */
const controls = ({ userId, role }: Pick<Standing, "userId" | "role">, creatorIds: readonly string[]): boolean =>
  role !== null && (governs({ role }) || creatorIds.includes(userId));

function mayControl(caller: Caller, item: Item, creatorIds: readonly string[]): boolean {
  const role = membershipIn(caller, item.workspaceId)?.role ?? null;
  return controls({ userId: caller.userId, role }, creatorIds);
}

/** What a person may do with a report beyond reading it. */
export interface Rights {
  /** Whether the portal shows them the report as one of their workspace. */
  isMember: boolean;
  /** Whether they may delete and share it. */
  mayControl: boolean;
}

/** Returns what a person may do with what these people created. */
export const rightsOf = (standing: Pick<Standing, "userId" | "role">, creatorIds: readonly string[]): Rights => ({
  isMember: standing.role !== null,
  mayControl: controls(standing, creatorIds),
});

/** The rights of people who are not signed in. */
export const NO_RIGHTS: Rights = { isMember: false, mayControl: false };

/** Returns whether the caller may delete and share a report. */
export const mayControlItem = (caller: Caller, item: Item): boolean => mayControl(caller, item, [item.creatorId]);

/** Returns whether the caller may delete and share one version. */
export const mayControlVersion = (caller: Caller, { item, version }: VersionOfItem): boolean =>
  mayControl(caller, item, [item.creatorId, version.creatorId]);

/** Returns the workspace with this slug if the caller belongs to it: every member may change its cabinet. */
export function authorizeWorkspace(caller: Caller, slug: string) {
  const membership = caller.memberships.find((candidate) => candidate.slug === slug);
  return membership && grant<"modify", Membership>(membership);
}

/** Returns the ids of the workspaces whose cabinets the caller may change. */
export const authorizeCabinets = (caller: Caller) =>
  grant<"modify", readonly string[]>(caller.memberships.map(({ id }) => id));

/** Returns the version if the caller may read it. */
export function authorizeReadVersion(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadVersion(caller, found) ? grantSeen(caller, found) : undefined;
}

/** Returns a report with its current version if the caller may see it. */
export function authorizeReadItem(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadItem(caller, found) ? grantSeen(caller, found) : undefined;
}

function grantSeen(caller: Caller, found: VersionOfItem) {
  const membership = membershipIn(caller, found.item.workspaceId);
  return membership && grant<"read", SeenVersion>({ ...found, membership });
}

/** Returns the report if the caller may change it: members may publish to, rename, file and tag what they can see. */
export function authorizeModifyItem(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadItem(caller, found) ? grant<"modify", Item>(found.item) : undefined;
}

/**
 * Returns reports that the caller may change as one batch, each once; undefined for an empty batch or one from several
 * workspaces. The store checks again when it changes them.
 */
export function authorizeModifyItems(caller: Caller, items: readonly Authorized<"modify", Item>[]) {
  const [first] = items;
  const role = first && membershipIn(caller, first.workspaceId)?.role;
  if (role === undefined || items.some(({ workspaceId }) => workspaceId !== first?.workspaceId)) return undefined;
  return grant<"modify", ItemBatch>({
    workspaceId: first?.workspaceId ?? "",
    reader: { userId: caller.userId, role },
    itemIds: [...new Set(items.map(({ id }) => id))],
  });
}

/** Returns reports that the caller may delete as one batch; undefined if they may not delete all of them. */
export function authorizeControlItems(caller: Caller, items: readonly Authorized<"modify", Item>[]) {
  const batch = authorizeModifyItems(caller, items);
  return batch && items.every((item) => mayControlItem(caller, item)) ? grant<"control", ItemBatch>(batch) : undefined;
}

/** Returns the deletion and its workspace if the caller may undo it: who deleted may, and so may owners and admins. */
export function authorizeUndo(caller: Caller, deletion: Deletion | undefined) {
  if (deletion === undefined) return undefined;
  const workspace = membershipIn(caller, deletion.workspaceId);
  if (workspace === undefined || !(governs(workspace) || deletion.userId === caller.userId)) return undefined;
  return { workspace, deletion: grant<"control", Deletion>(deletion) };
}

/** Returns an entry of the trash if the caller may restore and purge it, as they could delete and share the original. */
export function authorizeTrashed(caller: Caller, entry: TrashedItem | undefined) {
  if (entry === undefined) return undefined;
  const role = membershipIn(caller, entry.workspaceId)?.role ?? null;
  return controls({ userId: caller.userId, role }, entry.creatorIds) ? grant<"control", TrashedItem>(entry) : undefined;
}

/** Returns the caller's part of the trash of the workspace with this slug, if they belong to it. */
export function authorizeTrash(caller: Caller, slug: string) {
  const workspace = authorizeWorkspace(caller, slug);
  if (workspace === undefined) return undefined;
  const reader = { userId: caller.userId, role: workspace.role };
  return { workspace, view: grant<"control", TrashView>({ workspaceId: workspace.id, reader }) };
}

/** Returns the workspace if the caller governs it, which lets them decide what it keeps. */
export const authorizeGoverned = (workspace: Membership) =>
  governs(workspace) ? grant<"control", Membership>(workspace) : undefined;

/** Returns the report if the caller may delete or share it. Throws `Forbidden` if they may only see it. */
export function authorizeControlItem(caller: Caller, found: VersionOfItem | undefined) {
  if (found === undefined || !mayReadItem(caller, found)) return undefined;
  if (!mayControlItem(caller, found.item)) throw notTheirs();
  return grant<"control", Item>(found.item);
}

/** Returns the version if the caller may delete or share it. Throws `Forbidden` if they may only read it. */
export function authorizeControlVersion(caller: Caller, found: VersionOfItem | undefined) {
  if (found === undefined || !mayReadVersion(caller, found)) return undefined;
  if (!mayControlVersion(caller, found)) throw notTheirs();
  return grant<"control", VersionOfItem>(found);
}

const notTheirs = () =>
  forbidden(
    "You can't delete this report or change its visibility or storage. Ask the person who published it, or an owner or admin of the workspace.",
  );
