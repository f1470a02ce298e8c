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
import type { Accounts, RequestedUser } from "./accounts.ts";
import { requireGoverning } from "./members.ts";
import { organizationOf, requireOwnWorkspace } from "./organizations.ts";
import type { Invitation, InvitationWithOrganization, PeopleStore } from "./ports.ts";

const SECRET_LENGTH = 32;
const DEFAULT_LIFETIME = "7d";
const LONGEST_LIFETIME = "90d";

interface Dependencies {
  store: { people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  accounts: Pick<Accounts, "prepareUser">;
}

/** Whether a signed-in person who opened an invitation's link can accept it, or why not. */
export type Prospect = "open" | "already a member" | "for another address";

/** Creates the service for invitation links, with which people join an organization, with or without an account. */
export function createInvitations({ store, events, clock, random, accounts }: Dependencies) {
  const publishChange = (workspaceId: string) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "members" });

  /** Creates an invitation. Returns its secret, which isn't stored. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function create(
    caller: Caller,
    requested: { owner: string; role: InvitedRole; email?: string | undefined; expires?: string | undefined },
  ): Promise<{ id: string; secret: string; email: string | null; expiresAt: number }> {
    const organization = organizationOf(caller, requested.owner);
    requireGoverning(organization);
    const email = requested.email === undefined ? null : checkEmail(requested.email);
    const now = clock.now();
    const expiresAt = now + lifetimeOf(requested.expires ?? DEFAULT_LIFETIME);
    const id = newId(random, "inv");
    const secret = randomText(random, SECRET_LENGTH);
    await store.people.addInvitation({
      id,
      hash: hashOf(secret),
      workspaceId: organization.id,
      inviterId: caller.userId,
      role: requested.role,
      email,
      now,
      expiresAt,
    });
    publishChange(organization.id);
    return { id, secret, email, expiresAt };
  }

  /** Returns open invitations, newest first. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function list(caller: Caller, owner: string): Promise<readonly Invitation[]> {
    const organization = organizationOf(caller, owner);
    requireGoverning(organization);
    return store.people.listInvitations(organization.id, clock.now());
  }

  /** Revokes an invitation. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function revoke(caller: Caller, { owner, id }: { owner: string; id: string }): Promise<void> {
    const { id: workspaceId, role } = organizationOf(caller, owner);
    requireGoverning({ role });
    if (!(await store.people.revokeInvitation({ workspaceId, id }))) {
      throw idNotFound("Invitation", id);
    }
    publishChange(workspaceId);
  }

  /** Returns an invitation; undefined unless it is open. */
  const find = (secret: string): Promise<InvitationWithOrganization | undefined> =>
    store.people.findInvitation(hashOf(secret), clock.now());

  /** Makes the caller a member. Returns the organization's slug. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function accept(caller: Caller, secret: string): Promise<string> {
    requireOwnWorkspace(caller);
    const { userId } = caller;
    const acceptance = { hash: hashOf(secret), userId, now: clock.now() };
    const { workspaceId, slug } = await store.people.acceptInvitation(acceptance);
    events.publish({ kind: "membershipChanged", userId, workspaceId, ownWorkspaceId: caller.workspace.id });
    return slug;
  }

  /** Creates an account and makes it a member, or does neither. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function acceptAsNewUser(secret: string, requested: Omit<RequestedUser, "plan">): Promise<void> {
    // Checked first: only someone with an open invitation may cause the work of hashing a password.
    const invitation = await find(secret);
    if (invitation === undefined) throw invitationOver();
    checkInvitee(invitation, requested.email);
    const user = await accounts.prepareUser(requested, false);
    const { workspaceId } = await store.people.acceptAsNewUser({ hash: hashOf(secret), user });
    events.publish({ kind: "membershipChanged", userId: user.id, workspaceId, ownWorkspaceId: user.workspaceId });
  }

  return { create, list, revoke, find, accept, acceptAsNewUser };
}

export type Invitations = ReturnType<typeof createInvitations>;

/** Returns whether a signed-in person can accept an open invitation, or why not. */
export function prospectOf(
  { email, organization }: InvitationWithOrganization,
  reader: { email: string; caller: Caller },
): Prospect {
  if (reader.caller.memberships.some(({ slug }) => slug === organization.slug)) return "already a member";
  return email === null || email === reader.email ? "open" : "for another address";
}

/** Throws `Forbidden` if an invitation is for another address. */
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
