import { governs } from "../model/access.ts";
import { userNotFound } from "../model/common-failures.ts";
import type { Caller, Membership, Role } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid, notFound } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import { organizationOf } from "./organizations.ts";
import type { AccountStore, Member, MemberStore } from "./ports.ts";

interface Dependencies {
  store: { people: MemberStore & Pick<AccountStore, "findUserBySlug"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  /** Whether anyone may register. If so, an organization may not know the users it adds. */
  isSignUpOpen: boolean;
}

/** A member as other members see them. */
export interface ListedMember extends Omit<Member, "email"> {
  /** Null unless the reader is an owner or admin. */
  email: string | null;
}

/** Creates the service for the members of an organization. */
export function createMembers({ store, events, clock, isSignUpOpen }: Dependencies) {
  /** Returns all members. Only owners and admins get email addresses. Throws `NotFound` or `Invalid`. */
  async function list(
    caller: Caller,
    owner: string,
  ): Promise<{ organization: Membership; members: readonly ListedMember[] }> {
    const organization = organizationOf(caller, owner);
    const members = await store.people.listMembers(organization.id);
    if (governs(organization)) return { organization, members };
    return { organization, members: members.map((member) => ({ ...member, email: null })) };
  }

  /** Adds a user as a member. Returns the user's ID. Throws `NotFound`, `Invalid`, `Forbidden` or `Conflict`. */
  async function add(caller: Caller, requested: { owner: string; user: string; role: Role }): Promise<string> {
    const organization = organizationOf(caller, requested.owner);
    requireGoverning(organization);
    // A member sees what other members share with their organizations, so strangers must not be added without consent.
    if (isSignUpOpen)
      throw forbidden(
        "This server has open registration, so members can't be added directly. Create an invitation instead.",
      );
    const user = await store.people.findUserBySlug(requested.user);
    if (user === undefined) throw userNotFound(requested.user);
    const reference = { workspaceId: organization.id, actorId: caller.userId, userId: user.id };
    await store.people.admitMember({ ...reference, role: requested.role, now: clock.now() });
    const { id: userId, workspaceId: ownWorkspaceId } = user;
    events.publish({ kind: "membershipChanged", userId, workspaceId: organization.id, ownWorkspaceId });
    return user.id;
  }

  /** Changes a member's role. Throws `NotFound`, `Forbidden`, or `Invalid` for the last owner. */
  async function setRole(caller: Caller, requested: { owner: string; userId: string; role: Role }): Promise<void> {
    const { userId, role } = requested;
    const { id: workspaceId } = organizationOf(caller, requested.owner);
    const changed = await store.people.setRole({ workspaceId, actorId: caller.userId, userId, role });
    events.publish({ kind: "membershipChanged", userId, workspaceId, ...changed });
  }

  /** Removes a member, or lets a member leave. Throws `NotFound`, `Forbidden`, or `Invalid` for the last owner. */
  async function remove(caller: Caller, requested: { owner: string; userId: string }): Promise<void> {
    const { userId } = requested;
    const { id: workspaceId } = organizationOf(caller, requested.owner);
    const removed = await store.people.removeMember({ workspaceId, actorId: caller.userId, userId });
    events.publish({ kind: "membershipChanged", userId, workspaceId, ...removed });
  }

  return { list, add, setRole, remove };
}

export type Members = ReturnType<typeof createMembers>;

/** A requested change of a membership, with the current state. */
export interface MemberChange {
  /** The role of the user who makes the change; undefined if they aren't a member. */
  actor: Role | undefined;
  /** Whether users change their own membership. */
  isOwn: boolean;
  /** The current role; undefined to add a member. */
  from: Role | undefined;
  /** The new role; undefined to remove the member. */
  to: Role | undefined;
  /** The number of the organization's owners. */
  owners: number;
}

/** Checks whether a change of a membership is allowed. Throws `NotFound`, `Forbidden` or `Invalid`. */
export function checkMemberChange({ actor, isOwn, from, to, owners }: MemberChange): void {
  if (actor === undefined) throw notFound("Organization not found. Check the slug and that you are a member.");
  const isLeaving = isOwn && to === undefined;
  if (!isLeaving) requireGoverning({ role: actor });
  if ((from === "owner" || to === "owner") && actor !== "owner") {
    throw forbidden("Only owners can add, change or remove owners. Ask an owner of the organization.");
  }
  if (from === "owner" && to !== "owner" && owners === 1) {
    throw invalid("An organization needs at least one owner. Make another member an owner first.");
  }
}

export const noSuchMember = () => notFound("Member not found. Check userId.");

/** Throws `Forbidden` unless the membership's role is owner or admin. */
export function requireGoverning(membership: Pick<Membership, "role">): void {
  if (!governs(membership)) throw forbidden("Only owners and admins of the organization can do this. Ask one of them.");
}
