import { type Authorized, grant } from "./authorized.ts";
import type { Caller, Item, Membership, Reader, Scope } from "./entities.ts";
import { forbidden } from "./failure.ts";
import { governs, itemFacts, rule, type Standing, UNSHARED, type VersionOfItem, versionFacts } from "./standing.ts";

export type { Authorized } from "./authorized.ts";
export {
  type FoundVersion,
  governs,
  isForAnyone,
  isPublic,
  mayRead,
  mayReadAsItem,
  type Sharing,
  type Standing,
  type VersionOfItem,
  type VersionStanding,
} from "./standing.ts";

/** A version that its reader may see. */
export interface SeenVersion extends VersionOfItem {
  ownerSlug: string;
  /** The reader's membership in the workspace; undefined if it is shared with them from elsewhere. */
  membership: Membership | undefined;
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

export const hasScope = (caller: Caller, scope: Scope) =>
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

export const membershipIn = (caller: Caller, workspaceId: string): Membership | undefined =>
  caller.memberships.find((membership) => membership.id === workspaceId);

/** Returns the caller as a reader in a workspace, with the fewest rights if they are not a member. */
export const readerIn = (caller: Caller, workspaceId: string): Reader => ({
  userId: caller.userId,
  role: membershipIn(caller, workspaceId)?.role ?? "member",
});

/** How a caller relates to a version and its workspace. */
const standingOf = (caller: Caller, { item, sharing = UNSHARED }: VersionOfItem): Standing => ({
  userId: caller.userId,
  role: membershipIn(caller, item.workspaceId)?.role ?? null,
  sharing,
});

/** Returns whether a caller may read one version. What is public in other workspaces is read by its link instead. */
export function mayReadVersion(caller: Caller, found: VersionOfItem): boolean {
  const { item, version } = found;
  const standing = { ...standingOf(caller, found), visibility: version.visibility };
  const facts = versionFacts({ ...standing, itemCreatorId: item.creatorId, versionCreatorId: version.creatorId });
  if (standing.role !== null) return rule.allowsVersion(facts);
  // Who sees a report from elsewhere also finds its public versions.
  return rule.sharesVersion(facts) || rule.sharesItem(itemFacts(standing, found));
}

/** Returns whether a caller may see a named or unnamed report. */
export function mayReadItem(caller: Caller, found: VersionOfItem): boolean {
  const standing = standingOf(caller, found);
  const facts = itemFacts(standing, found);
  return standing.role === null ? rule.sharesItem(facts) : rule.allowsItem(facts);
}

/** Returns whether a caller may see a report as a member of its workspace, rather than because it is shared with them. */
function mayReadAsMember(caller: Caller, found: VersionOfItem): boolean {
  const standing = { ...standingOf(caller, found), sharing: UNSHARED };
  return standing.role !== null && rule.allowsItem(itemFacts(standing, found));
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
  const ownerSlug = membership?.slug ?? found.ownerSlug ?? "";
  return grant<"read", SeenVersion>({ ...found, membership, ownerSlug });
}

/**
 * Returns the report if the caller may change it: members may publish to, rename, file and tag what they can see as
 * members. Throws `Forbidden` if it is only shared with them for reading.
 */
export function authorizeModifyItem(caller: Caller, found: VersionOfItem | undefined) {
  if (found === undefined || !mayReadItem(caller, found)) return undefined;
  if (!mayReadAsMember(caller, found)) throw onlyReadable();
  return grant<"modify", Item>(found.item);
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

/** Returns reports that the caller may share as one batch; undefined if they may not share all of them. */
export function authorizeShareItems(caller: Caller, items: readonly Authorized<"modify", Item>[]) {
  const batch = authorizeControlItems(caller, items);
  const subjects = items.map((item) => ({
    item: grant<"control", Item>(item),
    whole: grant<"control", ShareSubject>({ item, code: null }),
  }));
  return batch && { batch, subjects };
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

/** A whole report, or one version of it, whose readers someone chooses. */
export interface ShareSubject {
  item: Item;
  /** Null for the whole report. */
  code: string | null;
}

/** Returns the whole report if the caller may share it. Throws `Forbidden` if they may only see it. */
export function authorizeShareItem(caller: Caller, found: VersionOfItem | undefined) {
  const item = authorizeControlItem(caller, found);
  return item && grant<"control", ShareSubject>({ item, code: null });
}

/**
 * Returns the version if the caller may share it, or the whole report if that has no name. Throws `Forbidden` if they may
 * only read it.
 */
export function authorizeShareVersion(caller: Caller, found: VersionOfItem | undefined) {
  const { item, version } = authorizeControlVersion(caller, found) ?? {};
  if (item === undefined || version === undefined) return undefined;
  return grant<"control", ShareSubject>({ item, code: item.name === null ? null : version.code });
}

const onlyReadable = () =>
  forbidden("This report is shared with you for reading. Ask the person who published it to make changes.");

const notTheirs = () =>
  forbidden(
    "You can't delete this report or change its visibility or storage. Ask the person who published it, or an owner or admin of the workspace.",
  );
