import type { Caller, Membership } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid, notFound } from "../model/failure.ts";
import type { Accounts } from "./accounts.ts";

interface Parts {
  accounts: Pick<Accounts, "createOrganization">;
  events: Pick<Events, "publish">;
}

/** Organizations, as their people make them. */
export function createOrganizations({ accounts, events }: Parts) {
  /** Makes an organization that the caller owns; returns it as it is kept. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function create(caller: Caller, { slug, name }: { slug: string; name: string }) {
    requireOwnWorkspace(caller);
    const organization = await accounts.createOrganization({ slug, name, ownerSlug: caller.workspace.slug });
    events.publish({ kind: "accountChanged", userId: caller.userId });
    return organization;
  }

  return { create };
}

export type Organizations = ReturnType<typeof createOrganizations>;

/** A token for an organization is for its reports, and not for where else its user belongs. Throws `Forbidden`. */
export function requireOwnWorkspace({ workspace }: Caller): void {
  if (workspace.kind !== "user") {
    throw forbidden("A token for an organization cannot do that; use one for your own workspace, or sign in.");
  }
}

/** The caller's membership in an organization. Throws `NotFound`, or `Invalid` for a person's workspace. */
export function organizationOf(caller: Caller, slug: string): Membership {
  const membership = caller.memberships.find((candidate) => candidate.slug === slug);
  if (membership === undefined) throw noSuchOrganization();
  if (membership.kind !== "org") throw invalid("owner is a person's own workspace, which has no members.");
  return membership;
}

export const noSuchOrganization = () => notFound("There is no such organization.");
