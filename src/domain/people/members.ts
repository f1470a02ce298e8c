import { governs } from "../model/access.ts";
import { userNotFound } from "../model/common-failures.ts";
import type { Caller, Membership, Role } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid, notFound } from "../model/failure.ts";
import type { Clock } from "../model/ports.ts";
import { organizationOf } from "./organizations.ts";
import type { AccountStore, Member, MemberStore } from "./ports.ts";

interface Parts {
  store: { people: MemberStore & Pick<AccountStore, "findUserBySlug"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  /** Whether anyone may register: then nobody vouches that an organization's people know whom they add. */
  isSignUpOpen: boolean;
}

/** A member as another one may see them. */
export interface ListedMember extends Omit<Member, "email"> {
  email: string | null;
}

/** Who belongs to an organization, and as what. */
export function createMembers({ store, events, clock, isSignUpOpen }: Parts) {
  /** Everybody, with e-mail addresses for owners and admins alone. Throws `NotFound` or `Invalid`. */
  async function list(
    caller: Caller,
    owner: string,
  ): Promise<{ organization: Membership; members: readonly ListedMember[] }> {
    const organization = organizationOf(caller, owner);
    const members = await store.people.listMembers(organization.id);
    if (governs(organization)) return { organization, members };
    return { organization, members: members.map((member) => ({ ...member, email: null })) };
  }

  /** Makes a user a member and returns the user's id. Throws `NotFound`, `Invalid`, `Forbidden` or `Conflict`. */
  async function add(caller: Caller, wanted: { owner: string; user: string; role: Role }): Promise<string> {
    const organization = organizationOf(caller, wanted.owner);
    requireGoverning(organization);
    // Members of one organization see what each shares with organizations, which a stranger must not get unasked.
    if (isSignUpOpen)
      throw forbidden(
        "This server has open registration, so members can't be added directly. Create an invitation instead.",
      );
    const user = await store.people.findUserBySlug(wanted.user);
    if (user === undefined) throw userNotFound(wanted.user);
    const reference = { workspaceId: organization.id, actorId: caller.userId, userId: user.id };
    await store.people.admitMember({ ...reference, role: wanted.role, now: clock.now() });
    const { id: userId, workspaceId: ownWorkspaceId } = user;
    events.publish({ kind: "membershipChanged", userId, workspaceId: organization.id, ownWorkspaceId });
    return user.id;
  }

  /** Throws `NotFound`, `Forbidden`, or `Invalid` for the last owner. */
  async function setRole(caller: Caller, wanted: { owner: string; userId: string; role: Role }): Promise<void> {
    const { userId, role } = wanted;
    const { id: workspaceId } = organizationOf(caller, wanted.owner);
    const changed = await store.people.setRole({ workspaceId, actorId: caller.userId, userId, role });
    events.publish({ kind: "membershipChanged", userId, workspaceId, ...changed });
  }

  /** Anyone may remove themselves. Throws `NotFound`, `Forbidden`, or `Invalid` for the last owner. */
  async function remove(caller: Caller, wanted: { owner: string; userId: string }): Promise<void> {
    const { userId } = wanted;
    const { id: workspaceId } = organizationOf(caller, wanted.owner);
    const removed = await store.people.removeMember({ workspaceId, actorId: caller.userId, userId });
    events.publish({ kind: "membershipChanged", userId, workspaceId, ...removed });
  }

  return { list, add, setRole, remove };
}

export type Members = ReturnType<typeof createMembers>;

/** What somebody wants to make of a membership, and how the organization stands. */
export interface MemberChange {
  /** Undefined for whoever is no member. */
  actor: Role | undefined;
  isOwn: boolean;
  /** Undefined for whoever is no member yet, and of whom nothing shall be left. */
  from: Role | undefined;
  to: Role | undefined;
  owners: number;
}

/** The rule of who may change whose membership. Throws `NotFound`, `Forbidden` or `Invalid`. */
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

/** Throws `Forbidden`. */
export function requireGoverning(membership: Pick<Membership, "role">): void {
  if (!governs(membership)) throw forbidden("Only owners and admins of the organization can do this. Ask one of them.");
}
