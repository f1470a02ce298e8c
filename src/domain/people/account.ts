import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { forbidden, unauthenticated } from "../model/failure.ts";
import type { Quotas } from "../model/plans.ts";
import type { Clock } from "../model/ports.ts";
import { requireGoverning } from "./members.ts";
import type { Holding, PeopleStore, Profile } from "./ports.ts";

export interface OwnedAccount extends Profile {
  id: string;
  slug: string;
  /** The user's own workspace, then organizations sorted by name. */
  workspaces: (Holding & { quota: number })[];
}

interface Dependencies {
  store: { people: PeopleStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  quotas: Quotas;
}

/** Creates the service with which people see their account and set display names. */
export function createAccount({ store: { people }, events, clock, quotas }: Dependencies) {
  async function describe({ userId }: Caller): Promise<OwnedAccount> {
    const [profile, holdings] = await Promise.all([people.findProfile(userId), people.listHoldings(userId)]);
    const own = holdings.find(({ kind }) => kind === "user");
    if (profile === undefined || own === undefined)
      throw unauthenticated("Your account no longer exists. Sign in with another one.");
    const organizations = holdings.filter(({ kind }) => kind === "org").sort(byName);
    const workspaces = [own, ...organizations].map((holding) => ({ ...holding, quota: quotas[holding.plan] }));
    return { ...profile, id: userId, slug: own.slug, workspaces };
  }

  /** Sets the display name of a workspace, and of the caller if it is their own. Throws `NotFound` or `Forbidden`. */
  async function setDisplayName(caller: Caller, owner: string, displayName: string): Promise<void> {
    const workspace = caller.memberships.find(({ slug }) => slug === owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    requireGoverning(workspace);
    const change = { workspaceId: workspace.id, userId: caller.userId, displayName, now: clock.now() };
    if (!(await people.setDisplayName(change))) throw noLongerGoverning();
    events.publish({ kind: "workspaceChanged", workspaceId: workspace.id, about: "settings" });
  }

  return { describe, setDisplayName };
}

export type Account = ReturnType<typeof createAccount>;

/** Returns the failure for someone who has lost their role since the request began. */
export const noLongerGoverning = () => forbidden("You are no longer an owner or admin of this workspace.");

function byName(one: Holding, other: Holding): number {
  const [a, b] = [one, other].map(({ displayName, slug }) => (displayName ?? slug).toLowerCase());
  if (a === undefined || b === undefined || a === b) return one.slug < other.slug ? -1 : 1;
  return a < b ? -1 : 1;
}
