import { organizationNotFound } from "../model/common-failures.ts";
import type { Caller, Membership } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, invalid } from "../model/failure.ts";
import { quote } from "../model/quote.ts";
import type { Accounts } from "./accounts.ts";

interface Dependencies {
  accounts: Pick<Accounts, "createOrganization">;
  events: Pick<Events, "publish">;
}

/** Creates the service with which people create organizations. */
export function createOrganizations({ accounts, events }: Dependencies) {
  /** Creates an organization owned by the caller. Returns it as stored. Throws `Invalid`, `Forbidden` or `Conflict`. */
  async function create(caller: Caller, { slug, name }: { slug: string; name: string }) {
    requireOwnWorkspace(caller);
    const organization = await accounts.createOrganization({ slug, name, ownerSlug: caller.workspace.slug });
    events.publish({ kind: "accountChanged", userId: caller.userId });
    return organization;
  }

  return { create };
}

export type Organizations = ReturnType<typeof createOrganizations>;

/** Throws `Forbidden` for an organization's token, which must not affect its user's other memberships. */
export function requireOwnWorkspace({ workspace }: Caller): void {
  if (workspace.kind !== "user") {
    throw forbidden(
      "This access token belongs to an organization, which isn't allowed here. Use a token for your own workspace, or sign in.",
    );
  }
}

/** Returns the caller's membership in an organization. Throws `NotFound`, or `Invalid` for a person's workspace. */
export function organizationOf(caller: Caller, slug: string): Membership {
  const membership = caller.memberships.find((candidate) => candidate.slug === slug);
  if (membership === undefined) throw organizationNotFound(slug);
  if (membership.kind !== "org")
    throw invalid(
      `owner ${quote(slug)} is a person's workspace, which has no members. Use the slug of an organization.`,
    );
  return membership;
}
