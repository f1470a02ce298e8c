import type { Caller, Item, Membership, Reader, Role, Scope, Version, Visibility } from "./entities.ts";
import { forbidden } from "./failure.ts";

declare const allowance: unique symbol;

/** What an access check can allow. */
export type Action = "read" | "modify" | "control";

/** A thing together with the proof that an access check has passed; nothing but the checks below can make one. */
export type Authorized<Allowed extends Action, Thing> = Thing & { readonly [allowance]: Allowed };

/** A version and the item it belongs to: all that the rule of who may read looks at. */
export interface VersionOfItem {
  item: Item;
  version: Version;
}

/** The same with what its reader is in the workspace. */
export interface SeenVersion extends VersionOfItem {
  membership: Membership;
}

/** Items of one workspace that are changed together. */
export interface ItemBatch {
  workspaceId: string;
  reader: Reader;
  itemIds: readonly number[];
}

/** What was deleted together and can be restored. */
export interface Deletion {
  id: string;
  workspaceId: string;
  /** Who deleted it. */
  userId: string;
}

const grant = <Allowed extends Action, Thing>(thing: Thing) => thing as Authorized<Allowed, Thing>;

const hasScope = (caller: Caller, scope: Scope) =>
  caller.scopes.has(scope) || (scope === "reports:read" && caller.scopes.has("reports:write"));

/** Throws `Forbidden` when the caller's token lacks the scope. */
export function requireScope(caller: Caller, scope: Scope): void {
  if (!hasScope(caller, scope))
    throw forbidden(`This access token doesn't have the scope ${scope}. Use a token that has it.`);
}

const membershipIn = (caller: Caller, workspaceId: string): Membership | undefined =>
  caller.memberships.find((membership) => membership.id === workspaceId);

/** Whether a member looks after the whole workspace. */
export const governs = ({ role }: Pick<Membership, "role">) => role !== "member";

/** As what a caller reads in a workspace: as nothing more than a member where they are none. */
export const readerIn = (caller: Caller, workspaceId: string): Reader => ({
  userId: caller.userId,
  role: membershipIn(caller, workspaceId)?.role ?? "member",
});

/** How a person stands to a workspace. */
export interface Standing {
  userId: string;
  /** Null for whoever is no member of it. */
  role: Role | null;
  /** Whether the workspace is a person's with whom the reader shares an organization. */
  isColleague: boolean;
}

/** The same to one version: all that the rule of who may read it looks at. */
export interface VersionStanding extends Standing {
  itemCreatorId: string;
  versionCreatorId: string;
  visibility: Visibility;
}

/**
 * The rule. Members of a workspace: what is shared, what they made, and for owners and admins everything;
 * `store/model/readable.ts` says the same in SQL. Others: what is public, and what a colleague shares.
 */
function allows(
  { userId, role, isColleague }: Standing,
  visibility: Visibility,
  creatorIds: readonly string[],
): boolean {
  if (visibility === "public") return true;
  if (role === null) return isColleague && visibility === "org";
  return role !== "member" || visibility === "org" || creatorIds.includes(userId);
}

/** Who may read one version: also whoever made it, or its group. */
export const mayRead = (standing: VersionStanding): boolean =>
  allows(standing, standing.visibility, [standing.itemCreatorId, standing.versionCreatorId]);

/** Who may see a version as part of its group: both have to allow it. */
export const mayReadAsItem = (standing: Standing, { item, version }: VersionOfItem): boolean =>
  allows(standing, item.visibility, [item.creatorId]) &&
  allows(standing, version.visibility, [item.creatorId, version.creatorId]);

/** How a caller stands to a workspace: they see their own and no others. */
function standingOf(caller: Caller, workspaceId: string): Standing | undefined {
  const membership = membershipIn(caller, workspaceId);
  return membership && { userId: caller.userId, role: membership.role, isColleague: false };
}

export function mayReadVersion(caller: Caller, { item, version }: VersionOfItem): boolean {
  const standing = standingOf(caller, item.workspaceId);
  return standing !== undefined && allows(standing, version.visibility, [item.creatorId, version.creatorId]);
}

/** Whether anyone may read a version as part of its group. */
export const isPublic = ({ item, version }: VersionOfItem): boolean =>
  item.visibility === "public" && version.visibility === "public";

/** Whether a caller may see a group or standalone report as such. */
export function mayReadItem(caller: Caller, found: VersionOfItem): boolean {
  const standing = standingOf(caller, found.item.workspaceId);
  return standing !== undefined && mayReadAsItem(standing, found);
}

/** Deleting and changing visibility is for whoever made the thing, and for owners and admins. */
function mayControl(caller: Caller, item: Item, creatorIds: readonly string[]): boolean {
  const membership = membershipIn(caller, item.workspaceId);
  return membership !== undefined && (governs(membership) || creatorIds.includes(caller.userId));
}

/** Whether a group or standalone report is the caller's to delete and to share. */
export const mayControlItem = (caller: Caller, item: Item): boolean => mayControl(caller, item, [item.creatorId]);

/** The same of one version. */
export const mayControlVersion = (caller: Caller, { item, version }: VersionOfItem): boolean =>
  mayControl(caller, item, [item.creatorId, version.creatorId]);

/** The workspace with this slug, if the caller belongs to it: every member reads and changes its cabinet. */
export function authorizeWorkspace(caller: Caller, slug: string) {
  const membership = caller.memberships.find((candidate) => candidate.slug === slug);
  return membership && grant<"modify", Membership>(membership);
}

/** Ids of all workspaces whose cabinets the caller may change. */
export const authorizeCabinets = (caller: Caller) =>
  grant<"modify", readonly string[]>(caller.memberships.map(({ id }) => id));

/** The version, if the caller may read it. */
export function authorizeReadVersion(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadVersion(caller, found) ? grantSeen(caller, found) : undefined;
}

/** An item with its current version, if the caller may see it. */
export function authorizeReadItem(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadItem(caller, found) ? grantSeen(caller, found) : undefined;
}

function grantSeen(caller: Caller, found: VersionOfItem) {
  const membership = membershipIn(caller, found.item.workspaceId);
  return membership && grant<"read", SeenVersion>({ ...found, membership });
}

/** The item, if the caller may see it; whoever sees it may publish to it, rename, file and tag it. */
export function authorizeModifyItem(caller: Caller, found: VersionOfItem | undefined) {
  return found && mayReadItem(caller, found) ? grant<"modify", Item>(found.item) : undefined;
}

/**
 * Items that the caller may modify as one batch, each once; undefined when there are none or they are of several
 * workspaces. That the caller still may has to be asked again where they are changed.
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

/** The same of items that the caller may delete; undefined as well where some are not theirs to delete. */
export function authorizeControlItems(caller: Caller, items: readonly Authorized<"modify", Item>[]) {
  const batch = authorizeModifyItems(caller, items);
  return batch && items.every((item) => mayControlItem(caller, item)) ? grant<"control", ItemBatch>(batch) : undefined;
}

/** The deletion with the caller's workspace, if they may undo it: who made it may, and the workspace's owners and admins. */
export function authorizeUndo(caller: Caller, deletion: Deletion | undefined) {
  if (deletion === undefined) return undefined;
  const workspace = membershipIn(caller, deletion.workspaceId);
  if (workspace === undefined || !(governs(workspace) || deletion.userId === caller.userId)) return undefined;
  return { workspace, deletion: grant<"control", Deletion>(deletion) };
}

/** The item, if the caller may delete it or change its visibility; throws `Forbidden` if they may only see it. */
export function authorizeControlItem(caller: Caller, found: VersionOfItem | undefined) {
  if (found === undefined || !mayReadItem(caller, found)) return undefined;
  if (!mayControlItem(caller, found.item)) throw notTheirs();
  return grant<"control", Item>(found.item);
}

/** The same for one version. */
export function authorizeControlVersion(caller: Caller, found: VersionOfItem | undefined) {
  if (found === undefined || !mayReadVersion(caller, found)) return undefined;
  if (!mayControlVersion(caller, found)) throw notTheirs();
  return grant<"control", VersionOfItem>(found);
}

const notTheirs = () =>
  forbidden(
    "You can't delete this report or change its visibility. Ask the person who published it, or an owner or admin of the workspace.",
  );
