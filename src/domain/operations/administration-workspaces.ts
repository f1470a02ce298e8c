import type { Administrator } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { userNotFound } from "../model/common-failures.ts";
import type { Role, WorkspaceKind } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { conflict, invalid, notFound, quotaFull } from "../model/failure.ts";
import type { Quotas } from "../model/plans.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { Member, PeopleStore } from "../people/ports.ts";
import { ADMINISTERED_PAGE, type Page, pageOf, type RequestedPage } from "./administration-pages.ts";
import type {
  AdministeredOrganization,
  AdministeredWorkspace,
  Cabinet,
  CopiedCabinet,
  WorkspaceContents,
  WorkspaceOrder,
  WorkspacePlace,
} from "./administration-ports.ts";
import { createEmptying, type Emptied, publishReports, REPORTS_AT_ONCE } from "./emptying.ts";
import type { OperationsStore } from "./ports.ts";

interface Dependencies {
  store: { operations: OperationsStore; people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  quotas: Quotas;
}

/** Creates the service with which operators administer organizations and workspaces. */
export function createWorkspaceAdministration({ store, events, clock, random, quotas }: Dependencies) {
  const { operations, people } = store;
  const emptying = createEmptying({ store, events, clock });

  /** Returns a page of organizations, sorted by slug. */
  async function listOrganizations(
    _by: Administrator,
    { contains, after, limit = ADMINISTERED_PAGE }: RequestedPage = {},
  ): Promise<Page<AdministeredOrganization, string>> {
    const found = await operations.listOrganizations({ contains, after, limit: limit + 1 });
    return pageOf(found, limit, ({ slug }) => slug);
  }

  /** Returns an organization with its members. Throws `NotFound`. */
  async function showOrganization(
    _by: Administrator,
    slug: string,
  ): Promise<{ organization: AdministeredWorkspace; members: Member[] }> {
    const organization = await findOrganization(slug);
    return { organization, members: await people.listMembers(organization.id) };
  }

  /** Adds a user to an organization. Throws `NotFound`, or `Conflict` if the user is already a member. */
  async function addMember(
    _by: Administrator,
    { organization, user, role }: { organization: string; user: string; role: Role },
  ): Promise<void> {
    const { workspaceId, member } = await findMember(organization, user);
    await people.addMember({ workspaceId, userId: member.userId, role, now: clock.now() });
    publishMembership(workspaceId, member);
  }

  /**
   * Sets the role of a member, whom it adds if they aren't one; null removes the member. Throws `NotFound`, or `Invalid`
   * for the last owner.
   */
  async function setMember(
    by: Administrator,
    { organization, user, role }: { organization: string; user: string; role: Role | null },
  ): Promise<void> {
    const { workspaceId, member } = await findMember(organization, user);
    await operations.changeMembership({ by, workspaceId, userId: member.userId, to: role, now: clock.now() });
    publishMembership(workspaceId, member);
  }

  async function findMember(organization: string, slug: string) {
    const { id: workspaceId } = await findOrganization(organization);
    const user = await people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return { workspaceId, member: { userId: user.id, ownWorkspaceId: user.workspaceId } };
  }

  /** Returns a page of workspaces, sorted by slug, or by stored bytes with the largest first. */
  async function listWorkspaces(
    _by: Administrator,
    requested: {
      by?: WorkspaceOrder | undefined;
      kind?: WorkspaceKind | undefined;
      after?: WorkspacePlace | undefined;
      limit?: number | undefined;
    } = {},
  ): Promise<Page<AdministeredWorkspace & { quota: number }, WorkspacePlace>> {
    const { by = "storage", kind, after, limit = ADMINISTERED_PAGE } = requested;
    const found = await operations.listWorkspaces({ by, kind, after, limit: limit + 1 });
    const withQuotas = found.map((workspace) => ({ ...workspace, quota: quotas[workspace.plan] }));
    return pageOf(withQuotas, limit, ({ slug, storedBytes }) => ({ slug, storedBytes }));
  }

  /** Returns a workspace with the numbers of what it contains. Throws `NotFound`. */
  async function showWorkspace(
    _by: Administrator,
    slug: string,
  ): Promise<{ workspace: AdministeredWorkspace; contents: WorkspaceContents }> {
    const workspace = await findWorkspace(slug);
    return { workspace, contents: await operations.countContents(workspace.id) };
  }

  /**
   * Moves all reports of a workspace to another one, with their folders and tags. Version links stay the same, live links
   * get the new owner. If it is interrupted, the next call continues. Throws `NotFound`, `Invalid` or `QuotaFull`.
   */
  async function transferReports(by: Administrator, from: string, to: string): Promise<Emptied> {
    const [source, target] = [await findWorkspace(from), await findWorkspace(to)];
    if (source.id === target.id) throw invalid("The two workspaces are the same. Choose another target.");
    requireRoom(source, target);
    const copies: Copies = { folders: new Map(), tags: new Map() };
    for (let reports = 0; ; ) {
      // Each time, because members may add folders and tags meanwhile.
      const cabinet = await copyCabinet(by, { fromId: source.id, toId: target.id, copies });
      const places = { workspaceId: source.id, toWorkspaceId: target.id };
      const moved = await operations.moveReports({ by, ...places, cabinet, limit: REPORTS_AT_ONCE, now: clock.now() });
      if (moved.itemIds.length === 0) return { reports };
      reports += moved.itemIds.length;
      publishReports(events, moved, [source.id, target.id]);
      events.publish({ kind: "workspaceChanged", workspaceId: target.id, about: "cabinet" });
    }
  }

  /** Throws `QuotaFull` if the reports don't fit. */
  function requireRoom(source: AdministeredWorkspace, target: AdministeredWorkspace): void {
    const left = quotas[target.plan] - target.storedBytes;
    if (source.storedBytes <= left) return;
    throw quotaFull(
      `The reports of ${source.slug} need ${inUnits(source.storedBytes)}, but ${target.slug} has only ${inUnits(left)} left. Change its plan or raise the quota.`,
    );
  }

  /** Finds or creates the folders and tags of a workspace in another one, except those copied before. */
  async function copyCabinet(
    by: Administrator,
    { fromId, toId: workspaceId, copies }: { fromId: string; toId: string; copies: Copies },
  ): Promise<CopiedCabinet> {
    const { folders, tags } = await operations.listCabinet(fromId);
    for (const { id, ...path } of folders) {
      if (copies.folders.has(id)) continue;
      const folder = { ...path, newDrawerId: newId(random, "drw"), newFolderId: newId(random, "fld") };
      copies.folders.set(id, await operations.copyFolder({ by, workspaceId, folder, now: clock.now() }));
    }
    for (const tag of parentsFirst(tags)) {
      if (copies.tags.has(tag.id)) continue;
      const parentId = tag.parentId === null ? null : (copies.tags.get(tag.parentId) ?? null);
      const copy = { title: tag.title, parentId, newTagId: newId(random, "tag") };
      copies.tags.set(tag.id, await operations.copyTag({ by, workspaceId, ...copy, now: clock.now() }));
    }
    return { folders: [...copies.folders], tags: [...copies.tags] };
  }

  /**
   * Deletes an organization with all its reports. Its members keep their accounts. If it is interrupted, the next call
   * continues. Throws `NotFound`, or `Conflict` for a person's workspace.
   */
  async function deleteOrganization(by: Administrator, slug: string): Promise<Emptied> {
    const { id: workspaceId, kind } = await findWorkspace(slug);
    if (kind !== "org") throw conflict(`${slug} is a person's workspace. Delete the user instead.`);
    const members = await operations.beginWorkspaceDeletion({ by, workspaceId });
    for (const member of members) publishMembership(workspaceId, member);
    for (let reports = 0; ; ) {
      reports += (await emptying.empty(by, workspaceId)).reports;
      if (await operations.deleteEmptyWorkspace({ by, workspaceId })) return { reports };
    }
  }

  const publishMembership = (workspaceId: string, member: { userId: string; ownWorkspaceId: string }) =>
    events.publish({ kind: "membershipChanged", workspaceId, ...member });

  async function findWorkspace(slug: string): Promise<AdministeredWorkspace> {
    const workspace = await operations.findWorkspace(slug);
    if (workspace === undefined) throw notFound(`Workspace ${quote(slug)} not found. Check the slug.`);
    return workspace;
  }

  async function findOrganization(slug: string): Promise<AdministeredWorkspace> {
    const workspace = await operations.findWorkspace(slug);
    if (workspace?.kind !== "org") throw notFound(`Organization ${quote(slug)} not found. Check the slug.`);
    return workspace;
  }

  return {
    listOrganizations,
    showOrganization,
    addMember,
    setMember,
    listWorkspaces,
    showWorkspace,
    transferReports,
    deleteOrganization,
  };
}

/** The copies of folders and tags by the IDs of the originals. */
interface Copies {
  folders: Map<string, string>;
  tags: Map<string, string>;
}

/** Returns tags sorted so that each follows its parent. */
function parentsFirst(tags: Cabinet["tags"]): Cabinet["tags"] {
  const children = Map.groupBy(tags, ({ parentId }) => parentId);
  const ordered: Cabinet["tags"] = [...(children.get(null) ?? [])];
  // Grows while it is walked.
  for (const { id } of ordered) ordered.push(...(children.get(id) ?? []));
  return ordered;
}

function inUnits(bytes: number): string {
  const kilobytes = Math.ceil(Math.max(0, bytes) / 1024);
  return kilobytes < 1024 ? `${kilobytes} KB` : `${Math.ceil(kilobytes / 1024)} MB`;
}
