import { createHash } from "node:crypto";
import { newId, randomText } from "../model/codes.ts";
import { idNotFound } from "../model/common-failures.ts";
import { parseDuration } from "../model/durations.ts";
import type { Caller, InvitedRole } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid } from "../model/failure.ts";
import { checkEmail } from "../model/names.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { Accounts, WantedUser } from "./accounts.ts";
import { requireGoverning } from "./members.ts";
import { organizationOf, requireOwnWorkspace } from "./organizations.ts";
import type { Invitation, InvitationWithOrganization, PeopleStore } from "./ports.ts";

const SECRET_LENGTH = 32;
const DEFAULT_LIFETIME = "7d";
const LONGEST_LIFETIME = "90d";

interface Parts {
  store: { people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  accounts: Pick<Accounts, "prepareUser">;
}

/** What an invitation is like for somebody who has opened its link. */
export type Prospect = "open" | "already a member" | "for another address";

/** Links by which people join an organization, who need not have an account yet. */
export function createInvitations({ store, events, clock, random, accounts }: Parts) {
  const sayChanged = (workspaceId: string) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "members" });

  /** Makes an invitation with its secret, which is not kept. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function create(
    caller: Caller,
    wanted: { owner: string; role: InvitedRole; email?: string | undefined; expires?: string | undefined },
  ): Promise<{ id: string; secret: string; email: string | null; expiresAt: number }> {
    const organization = organizationOf(caller, wanted.owner);
    requireGoverning(organization);
    const email = wanted.email === undefined ? null : checkEmail(wanted.email);
    const now = clock.now();
    const expiresAt = now + lifetimeOf(wanted.expires ?? DEFAULT_LIFETIME);
    const id = newId(random, "inv");
    const secret = randomText(random, SECRET_LENGTH);
    await store.people.addInvitation({
      id,
      hash: hashOf(secret),
      workspaceId: organization.id,
      inviterId: caller.userId,
      role: wanted.role,
      email,
      now,
      expiresAt,
    });
    sayChanged(organization.id);
    return { id, secret, email, expiresAt };
  }

  /** The open ones, newest first. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function list(caller: Caller, owner: string): Promise<readonly Invitation[]> {
    const organization = organizationOf(caller, owner);
    requireGoverning(organization);
    return store.people.listInvitations(organization.id, clock.now());
  }

  /** Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function revoke(caller: Caller, { owner, id }: { owner: string; id: string }): Promise<void> {
    const { id: workspaceId, role } = organizationOf(caller, owner);
    requireGoverning({ role });
    if (!(await store.people.revokeInvitation({ workspaceId, id }))) {
      throw idNotFound("Invitation", id);
    }
    sayChanged(workspaceId);
  }

  /** Undefined unless it could be used now. */
  const find = (secret: string): Promise<InvitationWithOrganization | undefined> =>
    store.people.findInvitation(hashOf(secret), clock.now());

  /** Makes the caller a member; returns the organization's slug. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function accept(caller: Caller, secret: string): Promise<string> {
    requireOwnWorkspace(caller);
    const { userId } = caller;
    const acceptance = { hash: hashOf(secret), userId, now: clock.now() };
    const { workspaceId, slug } = await store.people.acceptInvitation(acceptance);
    events.publish({ kind: "membershipChanged", userId, workspaceId, ownWorkspaceId: caller.workspace.id });
    return slug;
  }

  /** Makes an account and a member of it, or neither. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function acceptAsNewUser(secret: string, wanted: Omit<WantedUser, "plan">): Promise<void> {
    // Hashing a password is work that nobody without an invitation shall cause.
    const invitation = await find(secret);
    if (invitation === undefined) throw invitationOver();
    checkInvitee(invitation, wanted.email);
    const user = await accounts.prepareUser(wanted, false);
    const { workspaceId } = await store.people.acceptAsNewUser({ hash: hashOf(secret), user });
    events.publish({ kind: "membershipChanged", userId: user.id, workspaceId, ownWorkspaceId: user.workspaceId });
  }

  return { create, list, revoke, find, accept, acceptAsNewUser };
}

export type Invitations = ReturnType<typeof createInvitations>;

/** How an open invitation stands to somebody who is signed in. */
export function prospectOf(
  { email, organization }: InvitationWithOrganization,
  reader: { email: string; caller: Caller },
): Prospect {
  if (reader.caller.memberships.some(({ slug }) => slug === organization.slug)) return "already a member";
  return email === null || email === reader.email ? "open" : "for another address";
}

/** Throws `Forbidden` when an invitation is for another address. */
export function checkInvitee(invitation: { email: string | null }, email: string): void {
  if (invitation.email !== null && invitation.email !== email.toLowerCase()) {
    throw forbidden(
      "This invitation is for another email address. Sign in with that address, or ask for a new invitation.",
    );
  }
}

export const invitationOver = () =>
  invalid("This invitation was used or revoked, or it has expired. Ask for a new one.");

function lifetimeOf(duration: string): number {
  const lifetime = parseDuration(duration);
  if (lifetime > parseDuration(LONGEST_LIFETIME))
    throw invalid(`expires must be at most ${LONGEST_LIFETIME}, not ${quote(duration)}.`);
  return lifetime;
}

const hashOf = (secret: string) => createHash("sha256").update(secret).digest("hex");
